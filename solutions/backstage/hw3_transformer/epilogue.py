import copy


def without_attention(model, layer):
    """Return a copy of a LanguageModel in which the attention of a layer adds nothing."""
    model = copy.deepcopy(model)
    for value in model.layers[layer].self_attn.out_proj.parameters():
        nn.init.zeros_(value)
    return model


def report(model, step, steps, unread, words, seconds):
    """Show what a language model writes, how it does, and how long it still takes."""
    left = f"about {seconds / step * (steps - step):.0f} s left" if step else "it knows nothing yet"
    left = f"{seconds:.0f} s in all" if step == steps and step else left
    show_texts({f"step {step:,}": write_on(model, words, n=30).replace("\n", " ↵ ")})
    print(f"{bits_of(model, unread):.2f} bits a token of what it hasn't read; {left}", flush=True)


def show_what_is_spared(model, words):
    """Say how many numbers blocks without a memory hold, and decoder blocks, and show what the former write."""
    text = write_on(model, words, n=60)
    count = {
        f"two {kind}s": sum(value.numel() for block in blocks for value in block.parameters())
        for kind, blocks in (
            ("DecoderBlock", [DecoderBlock(64, 4, 256) for _ in model.layers]),
            ("CausalBlock", model.layers),
        )
    }
    show_bars_of(count, "Numbers in the blocks", say="{:,}".format)
    show_texts({"your CausalBlocks": text})
    compare_with_the_top(text, words)


def learn_to_write(model, train, text, steps, words):
    """Let `train` teach a language model a text but for its last twentieth; show how it does, and return it."""
    numbers = encoded(text)
    cut = int(0.95 * len(numbers))
    for_learning, unread = numbers[:cut], numbers[cut:]
    print(
        f"{len(text):,} characters, {len(numbers):,} tokens;\nthe last twentieth isn't shown to it"
    )
    began, losses = time.perf_counter(), []
    batches = pieces(model, for_learning, unread, steps, words)
    for share, lr in ((0.1, 5e-4), (0.4, 2e-3), (0.3, 1e-3), (0.2, 3e-4)):
        losses += train(Writes(model), itertools.islice(batches, round(share * steps)), lr=lr)
    report(model.eval(), steps, steps, unread, words, time.perf_counter() - began)
    bits = [loss / math.log(2) for loss in losses]
    show_curves({"your language model": bits}, level=math.log2(512), what="bits a token")
    return model


class Writes(nn.Module):
    """A language model for a loop that trains encoder–decoders: it has a source and ignores it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, src, tgt):
        return self.model(tgt)


def pieces(model, numbers, unread, steps, words):
    """Yield batches of pieces of a text, without an end; report between them."""
    began, step = time.perf_counter(), 0
    while True:
        if step in (0, 100, 300) or (step and step % 1000 == 0):
            report(model.eval(), step, steps, unread, words, time.perf_counter() - began)
            model.train(True)
        starts = torch.randint(len(numbers) - text_model.length, (32, 1))
        piece = numbers[starts + torch.arange(text_model.length + 1)]
        yield piece, piece
        step += 1


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


def learn_to_copy(model, film=None, steps=600):
    """Train a language model on such songs, no longer than it takes; return the losses.

    film: {"song": tokens (1, n)}; where the last layer looks in it is written beside it, by step.
    """
    optimiser, costs = optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.98)), []
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = 4e-3 * min(1, (step + 1) / 100)
        songs, _ = to_copy(32)
        said = torch.distributions.Categorical(logits=model(songs[:, :-1]))
        mean = -said.log_prob(songs[:, 1:]).mean()
        optimiser.zero_grad(set_to_none=True)
        mean.backward()
        optimiser.step()
        costs.append(mean.item())
        if step % 25 == 0 and film is not None:
            film[step] = weights_of(model, "self_attn", film["song"])[-1][0], foreseen(model)
            model.train(True)
        if step % 25 == 24 and foreseen(model) > 0.985:
            break
    return costs


def show_birth(film):
    """Show where the head of the last layer looks in a song, a frame for each moment of training."""
    song = [chr(ord("A") + token) for token in film["song"][0].tolist()]
    frames, cell = [], 15
    moments = {step: seen for step, seen in film.items() if step != "song"}
    for step, (looks, share) in moments.items():
        frame = Drawing(COLUMN, 70 + cell * len(song))
        frame.words(20, 14, f"after {step:,} batches", at="start", bold=True)
        put_grid(frame, 20, 46, looks.tolist(), song, song, cell=cell, top=1)
        x = 40 + cell * len(song)
        frame.words(x, 120, f"{share:.0%}", at="start", size=30, bold=True)
        frame.words(x, 148, "of the repeated tokens foreseen", at="start", size=13)
        frame.box(x, 164, 200, 10, PALE, opacity=0.6)
        frame.box(x, 164, 200 * share, 10, TEAL)
        frame.words(
            20,
            58 + cell * len(song),
            "rows: who reads, columns: who is looked at",
            at="start",
            size=12,
        )
        frames.append(frame)
    told = ", ".join(f"{step}: {share:.0%}" for step, (_, share) in moments.items())
    show_frames(
        frames,
        "Where the head of the last layer looks, as it learns to copy: a stripe appears. Repeated tokens "
        f"foreseen after so many batches: {told}.",
        seconds=0.6,
    )


@torch.no_grad()
def foreseen(model):
    """Return the share of repeated tokens that a model foresees."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        songs, again = to_copy(200)
    right = model(songs[:, :-1]).argmax(dim=-1) == songs[:, 1:]
    return right[again[:, 1:]].float().mean().item()
