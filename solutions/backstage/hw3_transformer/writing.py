import numpy as np

torch.set_num_threads(1)  # such small products are faster on one core
text_model = TextModel()
ready = TorchTextModel().eval()  # the same, of PyTorch's layers
ready.load_state_dict(text_weights())


def show_writing(words, n=16, temperature=0.4, seed=0):
    """Show the model as it writes on, a token a frame: what it finds likely, and what is drawn."""
    rng, numbers = np.random.default_rng(seed), text_model.encode(words) or text_model.encode("The")
    moments, start = [], len(numbers)
    for _ in range(n):
        *_, scores = text_model.read(numbers[-text_model.length :])
        shares = own_shares(scores, temperature)
        drawn = int(rng.choice(len(shares), p=shares))
        moments.append((places_of(numbers), shares, drawn))
        numbers.append(drawn)
    text = text_model.decode(numbers)
    below = max(y for places, *_ in moments for *_, y in places) + 58
    frames = [frame_of_writing(*moment, start, below) for moment in moments]
    show_frames(frames, f"A model writes, token by token: it goes on from “{words}” to “{text}”.")


def places_of(numbers):
    """Return where the boxes of a text's last 26 tokens stand: (place in the text, token, x, width, y)."""
    places, x, y = [], 4, 12
    for place, number in enumerate(numbers[-26:], start=max(0, len(numbers) - 26)):
        token = text_model.shown(number)
        width = 12 + 8.6 * len(token)
        if x + width > COLUMN - 6:
            x, y = 4, y + 34
        places.append((place, token, x, width, y))
        x += width + 4
    return places


def frame_of_writing(places, shares, drawn, start, below):
    """Draw the text so far in boxes, the likeliest tokens as bars from `below` on, and which is drawn."""
    frame = Drawing(COLUMN, below + 132)
    for place, token, x, width, y in places:
        colour = GREY if place < start else ROLES["target"]
        frame.box(x, y, width, 26, colour, opacity=0.12, edge=colour)
        frame.words(x + width / 2, y + 13, token, size=14, code=True)
    likely = sorted(range(len(shares)), key=lambda number: -shares[number])[:5]
    if drawn not in likely:
        likely[-1] = drawn
    for row, number in enumerate(likely):
        at = below + 27 * row
        frame.words(120, at, text_model.shown(number), size=14, code=True, at="end")
        frame.box(130, at - 9, 2 + 260 * shares[number], 18, TEAL)
        told = f"{shares[number]:.0%}" + ("   ◀ drawn" if number == drawn else "")
        frame.words(142 + 260 * shares[number], at, told, at="start", bold=number == drawn)
    return frame


@torch.no_grad()
def write_on(logits_of, text, n=40, temperature=0.4, seed=0):
    """Return `text` and the n tokens drawn after it, just as `text_model.write_on` draws them."""
    temperature = max(temperature, 0.001)  # so near 0, the likeliest has all of the share
    rng, numbers = np.random.default_rng(seed), text_model.encode(text) or text_model.encode("The")
    for _ in range(n):
        scores = logits_of(torch.tensor([numbers[-text_model.length :]]))[0, -1].double().numpy()
        shares = own_shares(scores, temperature)
        numbers.append(int(rng.choice(len(shares), p=shares)))
    return text_model.decode(numbers)


def compare_with_the_top(text, words):
    """Say how far a text is what the model at the top wrote after the same words.

    Another order of sums rounds differently, which turns a letter once in hundreds of texts.
    """
    at_top = text_model.write_on(words, n=60)
    pairs = enumerate(zip(text, at_top, strict=False))
    alike = next((place for place, (one, other) in pairs if one != other), len(at_top))
    if text == at_top:
        print("✓ word for word what the model from the top writes")
    else:
        print(
            f"what the model from the top writes for {alike} of {len(at_top)}\n"
            f"characters, of which {len(words)} are yours"
        )


def encoded(text):
    """Return the tokens of a long text, (n,): each word is looked up once."""
    known = {}
    for word in set(text_model.words.findall(text)):
        known[word] = text_model.encode(word)
    return torch.tensor(
        [number for word in text_model.words.findall(text) for number in known[word]]
    )


@torch.no_grad()
def bits_of(logits_of, numbers, windows=40):
    """Return how many bits a token of a text costs a model, on average."""
    size = text_model.length + 1
    pieces = numbers[: len(numbers) // size * size].view(-1, size)[:windows]
    log_shares = logits_of(pieces[:, :-1]).log_softmax(dim=-1)
    return -log_shares.gather(-1, pieces[:, 1:, None]).mean().item() / math.log(2)


def comes_later(n):
    """Say which of n tokens come after which: True = hidden (torch's convention)."""
    return nn.Transformer.generate_square_subsequent_mask(n) != 0


def under(hides):
    """Return what the text model says of tokens under a mask, which `hides` makes for n tokens."""
    return lambda tokens: ready(tokens, hides(tokens.shape[1]))


IMPOSTORS = {  # which mask each text was written with: what is hidden of n tokens
    "A": lambda n: comes_later(n).T,
    "B": lambda n: torch.zeros(n, n, dtype=torch.bool),
    "C": comes_later,
}


def show_three_texts(words):
    """Show how the text model goes on under each of three masks."""
    show_texts(
        {name: write_on(under(mask), words, n=45, seed=1) for name, mask in IMPOSTORS.items()}
    )


def show_my_blocks(block, words):
    """Show what two decoder blocks write as they were made, and with the text model's weights."""
    torch.manual_seed(0)
    writers = {
        "random numbers": through(block, learned=False),
        "learned numbers": through(block),
    }
    texts = {
        f"your blocks, {how}": write_on(writer, words, n=60) for how, writer in writers.items()
    }
    show_texts(texts)
    manual = encoded(english_manual())
    costs = {how: bits_of(writer, manual) for how, writer in writers.items()}
    show_bars_of(costs, "Bits that a token of the manual costs them")


def through(block, learned=True):
    """Return what the text model says of tokens if its layers are decoder blocks, with its weights if `learned`."""
    layers = [block(64, 4, 256, 0.0).eval() for _ in ready.layers]
    if learned:
        layers = [taken_over(*pair) for pair in zip(layers, ready.layers, strict=True)]

    def logits_of(tokens):
        x = ready.at_places(tokens)
        for layer in layers:
            x = layer(x, torch.zeros(len(tokens), 1, 64))
        return ready.head(x)

    return logits_of


def taken_over(block, learned):
    """Return a decoder block with the weights of an encoder layer; its cross-attention adds nothing.

    So two norms follow each other: the first one only evens out, the second scales and shifts.
    """
    parts = getattr(block, "theirs", block)  # a borrowed block holds PyTorch's
    for name, source in (
        ("self_attn", learned.self_attn),
        ("linear1", learned.linear1),
        ("linear2", learned.linear2),
        ("norm1", nn.LayerNorm(64)),
        ("norm2", learned.norm1),
        ("norm3", learned.norm2),
    ):
        getattr(parts, name).load_state_dict(source.state_dict())
    for value in parts.multihead_attn.out_proj.parameters():
        nn.init.zeros_(value)
    return block
