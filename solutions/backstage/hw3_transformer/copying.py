import copy

copier = None  # until two blocks have learned in part 7


class Copier(nn.Module):
    """A small language model of somebody's decoder blocks: tokens (batch, t) → logits (batch, t, 26).

    Each block has a single head of self-attention. There is nothing to translate: the memory is one
    token of zeros, of which the cross-attention can make a constant and no more.
    """

    def __init__(self, block, n_blocks, d_model=64):
        super().__init__()
        self.embedding = nn.Embedding(26, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)  # or it drowns the positions
        self.blocks = nn.ModuleList(block(d_model, 1, 128, 0.0) for _ in range(n_blocks))
        self.head = nn.Linear(d_model, 26)

    def forward(self, tokens):
        d_model = self.head.in_features
        x = d_model**0.5 * self.embedding(tokens) + sinusoids(0, tokens.shape[1], d_model)
        for block in self.blocks:
            x = block(x, x.new_zeros(len(x), 1, d_model))
        return self.head(x)


def to_copy(count, n=40, vocab=26):
    """Return songs (count, n), and where each goes on as it did before (count, n).

    A song has 6 to 12 different tokens, over and over; now and then it skips some of them.
    """
    period = torch.randint(6, 13, (count, 1))
    different = torch.rand(count, vocab).argsort(dim=1)
    skips = torch.rand(count, n) < 0.2
    skips[:, :12] = False
    steps = torch.where(skips, torch.randint(2, 7, (count, n)), 1)
    again = (torch.arange(n) > period) & ~skips
    return different.gather(1, (steps.cumsum(dim=1) - 1) % period), again


@torch.no_grad()
def foreseen(model):
    """Return the share of repeated tokens that a model foresees."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        songs, again = to_copy(60)
    right = model(songs[:, :-1]).argmax(dim=-1) == songs[:, 1:]
    return right[again[:, 1:]].float().mean().item()


def learn_to_copy(model, song, steps=600):
    """Train a model on songs, no longer than it takes; return how it does after each 15 batches.

    That is a list of (batches, the share foreseen, where each block looks in `song`).
    """
    optimiser, film = optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.98)), []
    for step in range(steps + 1):
        if step % 15 == 0:
            looks = [weights[0] for weights in weights_of(model, "self_attn", song)]
            film.append((step, foreseen(model), looks))
            if film[-1][1] > 0.985 or step == steps:
                break
            model.train()
        optimiser.param_groups[0]["lr"] = 4e-3 * min(1, (step + 1) / 100)
        songs, _ = to_copy(32)
        said = torch.distributions.Categorical(logits=model(songs[:, :-1]))
        optimiser.zero_grad(set_to_none=True)
        (-said.log_prob(songs[:, 1:]).mean()).backward()
        optimiser.step()
    return film


def as_song(word):
    """Return a word of letters, sung twice: (1, n)."""
    numbers = [ord(letter) - ord("A") for letter in word.upper()]
    fits = 6 <= len(numbers) <= 12 and len(set(numbers)) == len(numbers)
    if not (fits and all(0 <= number < 26 for number in numbers)):
        raise NotYet(f"○ A song has 6 to 12 different letters from A to Z. Yours is {word!r}.")
    return torch.tensor([numbers + numbers])


def letters(song):
    """Return the tokens of a song (1, n) as letters."""
    return [chr(ord("A") + token) for token in song[0].tolist()]


def put_look_back(frame, reader, place, y, weight):
    """Draw an arc from a reader back to a place in the same line, as wide as the weight."""
    reach = (reader - place) / 2
    frame.parts.append(  # one curve, not a line of many points: a film holds hundreds
        f'<path d="M{reader:.4g} {y}A{reach:.4g} {8 + 0.5 * reach:.4g} 0 0 0 {place:.4g} {y}" fill="none" '
        f'stroke="{COLOURS["weights"]}" stroke-width="{0.4 + 7 * weight:.2g}" '
        f'stroke-opacity="{0.12 + 0.75 * weight:.2g}" stroke-linecap="round"/>'
    )


def put_song(drawing, song, looks, x, y):
    """Draw a song that is sung twice, and arcs from its second half back to where a block looks (n, n)."""
    tokens, half = letters(song), song.shape[1] // 2
    cell = (COLUMN - 2 * x + 4) / len(tokens)
    for reader in range(half, len(tokens)):
        for place, weight in enumerate(looks[reader, :reader].tolist()):
            if weight >= 0.03:
                ends = (x + (at + 0.5) * cell - 2 for at in (reader, place))
                put_look_back(drawing, *ends, y - 3, weight)
    put_tokens(drawing, x, y, tokens[:half], role="memory", cell=cell)
    put_tokens(drawing, x + half * cell, y, tokens[half:], cell=cell)


def jump_of(film):
    """Return after how many batches the share foreseen has just risen most; None if never by a tenth."""
    rises = {step: share - before for (_, before, _), (step, share, _) in itertools.pairwise(film)}
    jump = max(rises, key=rises.get, default=None)
    return jump if jump and rises[jump] > 0.1 else None


def put_shares_foreseen(frame, two, one, step, jump):
    """Draw how the share foreseen grew until `step`, and the jump; in the end, all of `one`."""
    end, most = two[-1][0], max(two[-1][0], one[-1][0])
    frame.words(4, 226, "Repeated letters foreseen", at="start", bold=True)
    for share, at in ((0, 326), (1, 246)):
        frame.line((46, at), (430, at), colour=PALE)
        frame.words(38, at, f"{share:.0%}", at="end", size=12, colour=GREY)
    if jump and step >= jump:
        x = 46 + 384 * jump / most
        frame.line((x, 242), (x, 326), colour=COLOURS["weights"], dashed=True)
        frame.words(x + 8, 298, f"the jump: {jump}", at="start", size=12, colour=COLOURS["weights"])
    for film, name, until, below, how in (
        (one, "one block", most if step == end else step, 10, {"colour": GREY, "dashed": True}),
        (two, "two blocks", step, -8, {"colour": TEAL}),
    ):
        seen = [(at, share) for at, share, _ in film if at <= until]
        points = [(46 + 384 * at / most, 326 - 80 * share) for at, share in seen]
        frame.line(*points, points[-1], width=2.5, **how)
        x, high = points[-1]
        told = f"{name}: {seen[-1][1]:.0%}"
        frame.box(x + 5, high + below - 7, 7 * len(told), 14, PAPER)  # no line strikes it out
        frame.words(x + 8, high + below, told, at="start", size=12, bold=film is two)


def show_birth(two, one, song):
    """Show where the second of two blocks looks in a song as they learn, and how one does alone.

    two, one: what `learn_to_copy` returns. The frames are moments of `two`: every other one before the
    jump, where the film rests. The last one also shows how `one` went on.
    """
    frames, told, jump = [], [], jump_of(two)
    for moment, (step, share, looks) in enumerate(two):
        told.append(f"{step}: {share:.0%}")
        if jump and step < jump and moment % 2:
            continue  # hardly anything happens there
        frame = Drawing(COLUMN, 344)
        frame.words(4, 14, f"after {step:,} batches", at="start", bold=True)
        frame.words(COLUMN - 4, 14, "where the second block looks", at="end", size=12, colour=GREY)
        put_song(frame, song, looks[-1], 2, 168)
        put_shares_foreseen(frame, two, one, step, jump)
        frames += [frame] * (4 if step in (jump, two[-1][0]) else 1)  # there the film rests
    half = song.shape[1] // 2
    again = two[-1][2][-1][half:]  # row i is of letter i, sung again
    on_next = again[range(half), range(1, half + 1)].mean().item()
    leap = f", with the jump at {jump}" if jump else ""
    show_frames(
        frames,
        f"Arcs lead from each letter of {''.join(letters(song)[:half])}, sung again, back to where the second block "
        f"looks: in the end with {on_next:.0%} of its weight at the letter after the same one. Repeated letters "
        f"foreseen after so many batches: {', '.join(told)}{leap}. One block alone foresees {one[-1][1]:.0%} in the end.",
        seconds=0.7,
    )


def without_attention(model, block):
    """Return a copy of a model in which the self-attention of one block adds nothing."""
    model = copy.deepcopy(model)
    parts = [part for name, part in model.named_modules() if name.endswith("self_attn")]
    for value in parts[block].out_proj.parameters():
        nn.init.zeros_(value)
    return model
