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
