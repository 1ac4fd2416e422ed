import copy


class Copier(nn.Module):
    """A small language model of somebody's decoder blocks: tokens (batch, t) → logits (batch, t, 20).

    Each block has a single head of self-attention. There is nothing to translate: the memory is one
    token of zeros, of which the cross-attention can make a constant and no more.
    """

    def __init__(self, block, n_blocks, d_model=64):
        super().__init__()
        self.embedding = nn.Embedding(20, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)  # or it drowns the positions
        self.blocks = nn.ModuleList(block(d_model, 1, 128, 0.0) for _ in range(n_blocks))
        self.head = nn.Linear(d_model, 20)

    def forward(self, tokens):
        d_model = self.head.in_features
        x = d_model**0.5 * self.embedding(tokens) + sinusoids(0, tokens.shape[1], d_model)
        for block in self.blocks:
            x = block(x, x.new_zeros(len(x), 1, d_model))
        return self.head(x)


def to_copy(count, n=40, vocab=20):
    """Return songs (count, n), and where each goes on as it did before (count, n).

    A song has 8 to 12 different tokens, over and over; now and then it skips some of them.
    """
    period = torch.randint(8, 13, (count, 1))
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
    """Return a word of letters from A to T, sung twice: (1, n)."""
    numbers = [ord(letter) - ord("A") for letter in word.upper()]
    fits = 8 <= len(numbers) <= 12 and len(set(numbers)) == len(numbers)
    assert fits and all(0 <= number < 20 for number in numbers), (
        f"A song has 8 to 12 different letters from A to T. Yours is {word!r}."
    )
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


def show_birth(two, one, song):
    """Show where the second of two blocks looks in a song as they learn, and how one does alone.

    two, one: what `learn_to_copy` returns. The frames are the moments of `two`; the last one also shows
    how `one` went on.
    """
    tokens, cell, y = letters(song), COLUMN / song.shape[1], 168
    half, end, most = len(tokens) // 2, two[-1][0], max(two[-1][0], one[-1][0])
    frames = []
    for step, _, looks in two:
        frame = Drawing(COLUMN, 344)
        frame.words(4, 14, f"after {step:,} batches", at="start", bold=True)
        frame.words(COLUMN - 4, 14, "where the second block looks", at="end", size=12, colour=GREY)
        for reader in range(half, len(tokens)):
            for place, weight in enumerate(looks[-1][reader, :reader].tolist()):
                if weight >= 0.03:
                    put_look_back(frame, (reader + 0.5) * cell, (place + 0.5) * cell, y - 3, weight)
        put_tokens(frame, 2, y, tokens[:half], role="memory", cell=cell)
        put_tokens(frame, 2 + half * cell, y, tokens[half:], cell=cell)
        frame.words(4, 226, "Repeated letters foreseen", at="start", bold=True)
        for share, at in ((0, 326), (1, 246)):
            frame.line((46, at), (430, at), colour=PALE)
            frame.words(38, at, f"{share:.0%}", at="end", size=12, colour=GREY)
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
        frames.append(frame)
    told = ", ".join(f"{step}: {share:.0%}" for step, share, _ in two)
    frames += frames[-1:] * 3  # to be looked at for longer
    show_frames(
        frames,
        f"Arcs lead from each letter of {''.join(tokens[:half])}, sung again, back to where the second block looks: at first "
        "everywhere, in the end to the letter after the same one. Repeated letters foreseen after so many "
        f"batches: {told}. One block alone foresees {one[-1][1]:.0%} in the end.",
        seconds=0.7,
    )


def without_attention(model, block):
    """Return a copy of a model in which the self-attention of one block adds nothing."""
    model = copy.deepcopy(model)
    parts = [part for name, part in model.named_modules() if name.endswith("self_attn")]
    for value in parts[block].out_proj.parameters():
        nn.init.zeros_(value)
    return model
