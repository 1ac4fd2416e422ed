import copy


def crippled(model, what):
    """Return the logits of a LanguageModel, as a function of tokens, without one of its parts."""
    model = copy.deepcopy(model)
    part, _, layer = what.rpartition(" ")
    if part == "attention":
        lost = model.layers[int(layer)].self_attn.out_proj
    elif part == "feed-forward":
        lost = model.layers[int(layer)].linear2
    else:  # positions

        def without_positions(tokens):
            x = model.embedding(tokens) * model.embedding.embedding_dim**0.5
            for each in model.layers:
                x = each(x)
            return model.head(x)

        return without_positions
    for value in lost.parameters():
        nn.init.zeros_(value)
    return model


def report(model, step, steps, unread, words, seconds):
    """Show what a language model writes, how it does, and how long it still takes."""
    left = f"about {seconds / step * (steps - step):.0f} s left" if step else "it knows nothing yet"
    left = f"{seconds:.0f} s in all" if step == steps and step else left
    show_texts({f"step {step:,}": write_on(model, words, n=30).replace("\n", " ↵ ")})
    print(f"{bits_of(model, unread):.2f} bits a token of what it hasn't read; {left}", flush=True)


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


# Radford et al. 2019, the smallest
GPT2 = {"vocab": 50_257, "d_model": 768, "d_ff": 3_072, "n_layers": 12, "max_len": 1_024}


def counted(vocab, d_model, d_ff, n_layers, max_len):
    """Return how many parameters a model has that only writes, as GPT-2 does, in torch's layers."""
    with torch.device("meta"):  # shapes without numbers
        ends = nn.Embedding(vocab, d_model), nn.Embedding(max_len, d_model), nn.LayerNorm(d_model)
        block = nn.TransformerEncoderLayer(d_model, 1, d_ff)
    parts = [*ends, *[block] * n_layers]
    return sum(value.numel() for part in parts for value in part.parameters())


def counted_llama(d_model, d_ff, n_layers, vocab=128_256, keys=8 * 128):
    """Count a Llama 3.1: keys and values have 8 heads of 128, the feed-forward network three matrices."""
    block = 2 * d_model**2 + 2 * d_model * keys + 3 * d_model * d_ff + 2 * d_model
    return n_layers * block + 2 * vocab * d_model + d_model


def show_sizes(sizes):
    """Show numbers of parameters as areas, all in one scale; what is too small to be seen is a speck."""
    largest, top, x = max(sizes.values()), 300, 16
    drawing = Drawing(WIDTH, 330)
    for row, (name, size) in enumerate(sorted(sizes.items(), key=lambda each: -each[1])):
        side = max(top * (size / largest) ** 0.5, 1)
        drawing.box(x, 316 - side, side, side, TEAL, corner=0)
        if row == 0:
            drawing.words(x + 14, 40, name, at="start", size=15, bold=True, colour=PAPER)
            drawing.words(x + 14, 64, in_millions(size), at="start", size=15, colour=PAPER)
        else:
            y = 60 + 56 * row
            drawing.line((x + side / 2, 314 - side), (430, y + 10), colour=GREY, width=0.8)
            drawing.words(438, y, name, at="start", size=13, bold=True)
            drawing.words(438, y + 19, in_millions(size), at="start", size=13)
        x += side + 14
    told = ", ".join(f"{name}: {size:,}" for name, size in sizes.items())
    show_drawing(drawing, f"Squares whose areas are numbers of parameters. {told}.")


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
        frame = Drawing(WIDTH, 70 + cell * len(song))
        frame.words(40, 14, f"after {step:,} batches", at="start", bold=True)
        put_grid(frame, 40, 46, looks.tolist(), song, song, cell=cell, top=1)
        x = 70 + cell * len(song)
        frame.words(x, 120, f"{share:.0%}", at="start", size=30, bold=True)
        frame.words(x, 148, "of the repeated tokens foreseen", at="start", size=13)
        frame.box(x, 164, 260, 12, PALE, opacity=0.6)
        frame.box(x, 164, 260 * share, 12, TEAL)
        frame.words(
            40,
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
def foreseen(model, off=None):
    """Return the share of repeated tokens that a model foresees, without the heads of layer `off`."""
    if off is not None:
        model = crippled(model, f"attention {off}")
    with torch.random.fork_rng():
        torch.manual_seed(1)
        songs, again = to_copy(200)
    right = model(songs[:, :-1]).argmax(dim=-1) == songs[:, 1:]
    return right[again[:, 1:]].float().mean().item()
