import copy
import re
import zlib

import numpy as np

ROLES = {  # of the parts in the pictures; what has no role is drawn in ink
    "attention": COLOURS["weights"],
    "memory": COLOURS["value"],  # the source, and what the encoder makes of it: it has the values
    "residual": COLOURS["residual"],
    "target": COLOURS["query"],  # what is written: it asks
}
WIDTH = 690  # of a picture, in pixels


def share_of(number):
    """Write a share as a whole number of hundredths; what is less than a hundredth stays blank."""
    return f"{100 * number:.0f}" if number >= 0.095 else ""


def put_grid(
    drawing, x, y, matrix, rows, columns, *, cell=26, hidden=None, shown=share_of, top=None
):
    """Draw weights as cells with their hundredths, their rows and columns named; return the height."""
    matrix = [[float(number) for number in row] for row in matrix]
    top = top or max((abs(number) for row in matrix for number in row), default=1) or 1
    for j, name in enumerate(columns):
        drawing.words(x + (j + 0.5) * cell, y - 9, name, size=11)
    if cell < 20:  # too many to draw those that are empty
        drawing.box(x, y, len(columns) * cell, len(rows) * cell, PAPER, edge=PALE)
    for i, (name, row) in enumerate(zip(rows, matrix, strict=True)):
        drawing.words(x - 6, y + (i + 0.5) * cell, name, size=11, at="end")
        for j, number in enumerate(row):
            place = (x + j * cell, y + i * cell, cell - 2, cell - 2)
            if hidden is not None and hidden[i][j]:
                drawing.box(*place, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
                continue
            share = min(abs(number) / top, 1)
            if cell < 20 and share < 0.02:
                continue
            drawing.box(*place, PAPER, edge=PALE)
            drawing.box(*place, COLOURS["weights"], opacity=share)
            ink = PAPER if share > 0.6 else INK
            if cell < 20:
                continue
            middle = (place[0] + cell / 2 - 1, place[1] + cell / 2 - 1)
            drawing.words(*middle, shown(number), colour=ink, size=max(9, 0.36 * cell))
    return len(matrix) * cell


def show_grids(panels, rows, columns, *, says, hidden=None, shown=share_of, looks="", seen=""):
    """Show matrices by title side by side, in one scale of colours."""
    panels = {title: weights.detach() for title, weights in panels.items()}
    n, margin = len(panels), 12 + 7 * max(len(str(name)) for name in rows)
    wide = max(len(weights[0]) for weights in panels.values())
    cell = min(38, (WIDTH - n * margin - 10) / (n * wide))
    step = margin + max(wide * cell, *(7.6 * len(title) for title in panels))
    top = max(weights.max().item() for weights in panels.values())
    drawing = Drawing(n * step + 10, 68 + len(rows) * cell)
    for place, (title, weights) in enumerate(panels.items()):
        at = margin + place * step
        drawing.words(at, 14, title, bold=True, size=13, at="start")
        options = {"hidden": (hidden or {}).get(title), "shown": shown, "cell": cell, "top": top}
        put_grid(drawing, at, 46, weights.tolist(), rows, columns[: len(weights[0])], **options)
    under = f"rows: {looks}, columns: {seen}"
    at = (margin, 57 + len(rows) * cell)
    drawing.words(*at, under, size=12, at="start", colour=COLOURS["mask"])
    most = {
        title: ", ".join(str(columns[j]) for j in weights.argmax(dim=1).tolist())
        for title, weights in panels.items()
    }
    told = "; ".join(f"{title}: the rows are largest at {found}" for title, found in most.items())
    show_drawing(drawing, f"{says} {told}.")


def put_tokens(drawing, x, y, tokens, *, role="target", cell=34, marks=None, faint=()):
    """Draw tokens as boxes in a row; `marks` writes ✓ or ✗ into a corner of each."""
    for place, token in enumerate(tokens):
        colour = INK if token in ("BOS", "EOS") else ROLES[role]
        at = x + place * cell
        light = 0.05 if place in faint else 0.16
        drawing.box(at, y, cell - 4, 26, colour, opacity=light, edge=colour)
        drawing.words(at + cell / 2 - 2, y + 14, token, size=10 if len(str(token)) > 2 else 14)
        if marks and place < len(marks):
            right = marks[place]
            drawing.words(
                at + cell / 2 - 2,
                y + 36,
                "✓" if right else "✗",
                size=12,
                bold=not right,
                colour=INK if right else COLOURS["context"],
            )


def named(token):
    """Return the name of a token of this notebook's language."""
    return {BOS: "BOS", EOS: "EOS"}.get(int(token), str(int(token)))


# The model that writes.


text_model = TextModel()


def in_lines(text, width):
    """Break a text into lines."""
    return textwrap.wrap(" ".join(text.split()), width) or [""]


def show_writing(words, n=16, temperature=0.4, seed=0):
    """Show the model as it writes on, a token a frame: what it finds likely, and what is drawn."""
    rng, numbers = np.random.default_rng(seed), text_model.encode(words) or text_model.encode("The")
    frames, start = [], len(numbers)
    for _ in range(n):
        *_, scores = text_model.read(numbers[-text_model.length :])
        shares = np.exp((scores - scores.max()) / temperature)
        shares /= shares.sum()
        drawn = int(rng.choice(len(shares), p=shares))
        frames.append(frame_of_writing(numbers, start, shares, drawn))
        numbers.append(drawn)
    text = text_model.decode(numbers)
    show_frames(frames, f"A model writes, token by token: it goes on from “{words}” to “{text}”.")


def frame_of_writing(numbers, start, shares, drawn):
    """Draw the text so far in boxes, the likeliest tokens as bars, and which of them is drawn."""
    frame, x, y = Drawing(WIDTH, 270), 10, 12
    for place, number in enumerate(numbers[-26:], start=max(0, len(numbers) - 26)):
        token = text_model.tokens[number].replace("\n", "↵").replace(" ", "·")
        width = 12 + 8.6 * len(token)
        if x + width > WIDTH - 10:
            x, y = 10, y + 34
        own = place < start
        colour = COLOURS["mask"] if own else ROLES["target"]
        frame.box(x, y, width, 26, colour, opacity=0.12, edge=colour)
        frame.words(x + width / 2, y + 13, token, size=14, code=True)
        x += width + 4
    likely = sorted(range(len(shares)), key=lambda number: -shares[number])[:5]
    if drawn not in likely:
        likely[-1] = drawn
    for row, number in enumerate(likely):
        at = 132 + 27 * row
        token = text_model.tokens[number].replace("\n", "↵").replace(" ", "·")
        frame.words(120, at, token, size=14, code=True, at="end")
        frame.box(130, at - 9, 2 + 380 * shares[number], 18, INK, opacity=0.75)
        told = f"{shares[number]:.0%}" + ("   ◀ drawn" if number == drawn else "")
        frame.words(142 + 380 * shares[number], at, told, size=13, at="start", bold=number == drawn)
    return frame


class ReadyModel(nn.Module):
    """The model that writes, made of PyTorch's layers: tokens (batch, n) to logits (batch, n, 512)."""

    def __init__(self):
        super().__init__()
        sizes = (text_model.d_model, text_model.n_heads, text_model.d_ff)
        self.embedding = nn.Embedding(512, text_model.d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(*sizes, dropout=0.0, batch_first=True)
            for _ in range(text_model.n_layers)
        )
        self.head = nn.Linear(text_model.d_model, 512)
        self.load_state_dict(text_weights())

    def forward(self, tokens, hidden=None):
        n = tokens.shape[1]
        hidden = nn.Transformer.generate_square_subsequent_mask(n) if hidden is None else hidden(n)
        x = self.embedding(tokens) * text_model.d_model**0.5 + table_of_positions(n)
        for layer in self.layers:
            x = layer(x, src_mask=hidden)
        return self.head(x)


def text_weights():
    """Return the weights of the model that writes, by PyTorch's names."""
    return {
        name: torch.tensor(value, dtype=torch.float32) for name, value in text_model.weights.items()
    }


def table_of_positions(n):
    """The sinusoids that the model was trained with, (n, 64)."""
    even = torch.arange(0, text_model.d_model, 2)
    angles = torch.arange(n)[:, None] / 10_000 ** (even / text_model.d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@torch.no_grad()
def write_on(logits_of, text, n=40, temperature=0.4, seed=0):
    """Return `text` and the n tokens drawn after it, just as `text_model.write_on` draws them."""
    rng, numbers = np.random.default_rng(seed), text_model.encode(text) or text_model.encode("The")
    for _ in range(n):
        scores = logits_of(torch.tensor([numbers[-text_model.length :]]))[0, -1].double().numpy()
        shares = np.exp((scores - scores.max()) / temperature)
        numbers.append(int(rng.choice(len(shares), p=shares / shares.sum())))
    return text_model.decode(numbers)


def manual():
    """Return the English of Python's own manual: its paragraphs, one a line."""
    from pydoc_data.topics import topics

    paragraphs = set()
    for paragraph in (part for topic in topics.values() for part in re.split(r"\n\s*\n", topic)):
        if "::=" in paragraph or re.search(r"^ *>>>|^[+|]", paragraph, re.MULTILINE):
            continue  # grammar, examples, tables
        line = re.sub(r"\[\d+\]|[*\"`_\\]|\.\. ", "", " ".join(paragraph.split()))
        letters = sum(letter.isalpha() or letter == " " for letter in line)
        if len(line) > 40 and letters > 0.8 * len(line):
            line = line.replace("\u2019", "'").encode("ascii", "ignore").decode()
            paragraphs.add(line)
    return "\n".join(sorted(paragraphs, key=lambda line: zlib.crc32(line.encode())))  # mixed


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


def show_bars(numbers, says, *, unit="", least=0.0):
    """Show numbers by name as bars."""
    left = 20 + 7.4 * max(map(len, numbers))
    drawing, largest = Drawing(WIDTH, 12 + 28 * len(numbers)), max(numbers.values())
    for row, (name, number) in enumerate(numbers.items()):
        width = (WIDTH - left - 90) * max(number - least, 0) / max(largest - least, 1e-9)
        drawing.words(left - 8, 20 + 28 * row, name, at="end", size=13)
        drawing.box(left, 10 + 28 * row, width + 2, 20, INK, opacity=0.75)
        drawing.words(left + width + 10, 20 + 28 * row, f"{number:.2f}{unit}", at="start", size=13)
    told = ", ".join(f"{name}: {number:.2f}" for name, number in numbers.items())
    show_drawing(drawing, f"{says} {told}.")


def comes_later(n):
    """Say which of n tokens come after which: True = hidden (torch's convention)."""
    return nn.Transformer.generate_square_subsequent_mask(n) != 0


IMPOSTORS = {  # which mask each text was written with: what is hidden of n tokens
    "A": lambda n: torch.zeros(n, n, dtype=torch.bool),
    "B": comes_later,
    "C": lambda n: comes_later(n).T,
}


def show_texts(texts):
    """Show texts by name, each in a box of its own."""
    left = 32 + 11 * max(map(len, texts))
    lines = {name: in_lines(text, int((WIDTH - left - 20) / 7.2)) for name, text in texts.items()}
    drawing, y = Drawing(WIDTH, 10 + sum(20 + 21 * len(each) for each in lines.values())), 8
    for name, each in lines.items():
        height = 12 + 21 * len(each)
        drawing.box(6, y, WIDTH - 12, height, ROLES["target"], opacity=0.05, edge=PALE)
        drawing.words(
            18, y + height / 2, name, bold=True, size=17, colour=ROLES["target"], at="start"
        )
        for row, line in enumerate(each):
            drawing.words(left, y + 17 + 21 * row, line, at="start", size=14)
        y += height + 8
    show_drawing(drawing, "; ".join(f"Text {name}: {text}" for name, text in texts.items()))


def draw_looking_back(back=4):
    """Let the model write while each token sees no more than the last `back` tokens."""
    text = write_on(lambda tokens: ready(tokens, far_back(back)), my_words)
    print(f"sees the last {int(back)}: {cost_of_looking_back(back):.2f} bits a token")
    print("   ", text.replace("\n", " ↵ "))


def cost_of_looking_back(back):
    """Return what a token costs the model, in bits, if each sees the last `back` tokens only."""
    return bits_of(lambda tokens: ready(tokens, far_back(back)), text_of_manual)


def far_back(back):
    """Return the mask, in torch's convention, under which a token sees the last `back` tokens only."""
    return lambda n: comes_later(n) | F.pad(comes_later(n).T, (0, 0, int(back) - 1, 0))[:n]


# Pictures of the architecture.


def put_badge(drawing, x, y, text, colour):
    """Draw the number of a part of this notebook."""
    drawing.box(x - 11, y - 10, 22, 20, colour, corner=10)
    drawing.words(x, y + 1, text, size=12, bold=True, colour=PAPER)


def put_part(drawing, x, y, width, text, colour, *, height=36, badge=""):
    """Draw one part of a model as a box; a badge says in which part of the notebook it is written."""
    drawing.box(x, y, width, height, colour, opacity=0.14, edge=colour, corner=5)
    drawing.words(x + width / 2, y + height / 2, text, size=13)
    if badge:
        put_badge(drawing, x + width, y, badge, colour)


def draw_map():
    """Draw encoder and decoder, the memory between them, shapes, and what is written in which part."""
    drawing, plain, attention = Drawing(WIDTH, 470), COLOURS["mask"], ROLES["attention"]
    for x, width, title in ((14, 250, "The encoder reads"), (350, 326, "The decoder writes")):
        drawing.box(x, 96, width, 262, PALE, opacity=0.25, edge=PALE, corner=8)
        drawing.words(x + width - 4, 82, title, at="end", bold=True)
    up = {"arrow": True, "colour": INK}
    for x, points in (
        (139, (396, 304)),
        (139, (268, 232)),
        (470, (396, 336)),
        (470, (300, 262)),
        (470, (226, 188)),
        (470, (152, 50)),
    ):
        drawing.line((x, points[0]), (x, points[1]), **up)
    memory = ROLES["memory"]
    path = ((139, 196), (139, 140), (306, 140), (306, 243), (372, 243))
    drawing.line(*path, colour=memory, width=4, arrow=True)
    drawing.words(306, 262, "memory", bold=True, colour=memory, size=13)
    drawing.words(306, 279, "(batch, s,", size=11, code=True)
    drawing.words(306, 293, "d_model)", size=11, code=True)
    for y, text, colour in ((268, "self-attention", attention), (196, "feed-forward", plain)):
        put_part(drawing, 50, y, 178, text, colour)
    for y, text, colour, badge in (
        (300, "masked self-attention", attention, "1"),
        (226, "cross-attention", attention, ""),
        (152, "feed-forward", plain, ""),
    ):
        put_part(drawing, 375, y, 190, text, colour, badge=badge)
    drawing.words(586, 318, "causal_mask", at="start", size=12, code=True)
    drawing.line((582, 156), (590, 156), (590, 256), (582, 256), colour=plain)
    put_badge(drawing, 612, 196, "2", plain)
    drawing.words(598, 220, "Decoder", at="start", size=12, code=True)
    drawing.words(598, 235, "Block", at="start", size=12, code=True)
    drawing.words(224, 118, "× n_layers", size=12, colour=plain)
    drawing.words(636, 118, "× n_layers", size=12, colour=plain)
    source, target = ["5", "0", "2", "1", "7"], ["BOS", "7", "1", "2", "0", "5"]
    for x, tokens, shape in ((54, source, "src (batch, s)"), (368, target, "tgt (batch, t)")):
        put_tokens(drawing, x, 400, tokens, role="memory" if x < 100 else "target")
        drawing.words(x + 17 * len(tokens) - 2, 440, shape, size=12, code=True)
    put_tokens(drawing, 368, 20, [*target[1:], "EOS"])
    drawing.words(358, 34, "logits (batch, t, vocab)", size=12, code=True, at="end")
    put_badge(drawing, 592, 34, "4", plain)
    drawing.words(608, 34, "writing", at="start", size=12)
    put_badge(drawing, 592, 412, "5", plain)
    drawing.words(608, 412, "learning", at="start", size=12)
    put_badge(drawing, 24, 34, "3", plain)
    drawing.words(40, 34, "Transformer: all of it", at="start", size=12)
    show_drawing(
        drawing,
        "Encoder and decoder. The source, 5 0 2 1 7, of shape (batch, s), goes up through the encoder: "
        "self-attention and feed-forward, n_layers times. What comes out is the memory, (batch, s, "
        "d_model). It leads sideways into the cross-attention of the decoder. There the target, BOS 7 1 2 "
        "0 5, of shape (batch, t), goes up through masked self-attention, cross-attention and "
        "feed-forward, n_layers times, to logits (batch, t, vocab): each says what follows, 7 1 2 0 5 "
        "EOS. Part 1 is the mask, part 2 the decoder block, part 3 all of it, part 4 writing and part 5 "
        "learning.",
    )


def draw_decoder_block():
    """Draw the decoder block, from the bottom up as the paper does."""
    drawing = Drawing(WIDTH, 560)
    attention, plain, norm = ROLES["attention"], COLOURS["mask"], ROLES["residual"]
    x, width = 270, 250
    middle = x + width / 2
    sublayers = (
        (436, "masked self-attention", "self_attn", "norm1", attention),
        (276, "cross-attention", "multihead_attn", "norm2", attention),
        (116, "feed-forward", "linear1, ReLU, linear2", "norm3", plain),
    )
    for y, text, name, its_norm, colour in sublayers:
        drawing.box(x, y, width, 46, colour, opacity=0.14, edge=colour, corner=5)
        drawing.words(middle, y + 15, text, bold=True)
        drawing.words(middle, y + 33, name, size=12, code=True)
        drawing.box(x + 45, y - 64, width - 90, 30, norm, opacity=0.14, edge=norm, corner=5)
        drawing.words(middle, y - 49, f"add, {its_norm}", size=13)
        drawing.line((middle, y), (middle, y - 32), arrow=True)
        drawing.line(
            (middle, y + 76),
            (x + width + 40, y + 76),
            (x + width + 40, y - 49),
            (x + width - 42, y - 49),
            colour=norm,
            width=2.5,
            arrow=True,
        )
        drawing.words(x + width + 48, y + 16, "residual", size=12, at="start", colour=norm)
        drawing.line((middle, y + 96), (middle, y + 48), arrow=True)
    drawing.line((middle, 52), (middle, 36), arrow=True)
    drawing.words(middle + 10, 330, "queries", size=12, at="start", colour=COLOURS["query"])
    memory = ROLES["memory"]
    drawing.box(20, 272, 150, 54, memory, opacity=0.14, edge=memory, corner=5)
    drawing.words(95, 290, "memory", bold=True, colour=memory)
    drawing.words(95, 309, "(batch, s, d_model)", size=11, code=True)
    drawing.line((170, 290), (268, 290), colour=COLOURS["key"], width=2, arrow=True)
    drawing.line((170, 309), (268, 309), colour=memory, width=2, arrow=True)
    drawing.words(218, 278, "keys", size=12, colour=COLOURS["key"])
    drawing.words(218, 323, "values", size=12, colour=memory)
    drawing.words(middle, 545, "x  (batch, t, d_model)", size=13, code=True)
    drawing.words(middle, 22, "result  (batch, t, d_model)", size=13, code=True)
    for row in range(4):
        for column in range(4):
            place = (48 + 20 * column, 412 + 20 * row, 18, 18)
            if column > row:
                drawing.box(*place, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
            else:
                drawing.box(*place, attention, opacity=0.5)
    drawing.words(88, 506, "your mask: (t, t)", size=12)
    drawing.line((136, 458), (268, 458), colour=COLOURS["mask"], dashed=True, arrow=True)
    show_drawing(
        drawing,
        "The decoder block from the bottom up: x, masked self-attention under a triangular mask (t, t), "
        "add and norm1, cross-attention, where the queries come from below and keys and values from the "
        "memory, add and norm2, feed-forward network, add and norm3, result. A residual leads around "
        "each of the three sublayers.",
    )


# Writing, a step a frame.


def show_line(x, y, rounds):
    """Show a line that learns to go through points, a frame a round: (round, loss, w, b)."""
    frames = []
    for turn, loss, w, b in rounds:
        frame = Drawing(WIDTH, 260)
        frame.line((60, 230), (430, 230), colour=PALE)
        frame.line((60, 230), (60, 20), colour=PALE)

        def place(at, height):
            return 80 + 110 * at, 220 - 26 * height

        ends = [place(at, w * at + b) for at in (-0.1, 3.1)]
        frame.line(*ends, colour=INK, width=2.5)
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            says = place(at, w * at + b)
            frame.line(place(at, height), says, colour=COLOURS["context"], dashed=True)
            frame.box(place(at, height)[0] - 5, place(at, height)[1] - 5, 10, 10, INK, corner=5)
        for row, text in enumerate(
            (f"round {turn}", f"loss {loss:.4f}", f"w = {w:.2f}", f"b = {b:.2f}")
        ):
            frame.words(460, 60 + 30 * row, text, at="start", size=16, bold=row == 0, code=row > 0)
        frames.append(frame)
    told = "; ".join(
        f"round {turn}: loss {loss:.4f}, w {w:.2f}, b {b:.2f}" for turn, loss, w, b in rounds
    )
    show_frames(frames, f"A line learns to go through four points. {told}.", seconds=0.7)


class Overheard(nn.Module):
    """Passes everything on to a model, and keeps what it was shown and what it answered."""

    def __init__(self, model):
        super().__init__()
        self.model, self.heard = model, []

    def forward(self, src, tgt):
        answered = self.model(src, tgt)
        self.heard.append((tgt.clone(), answered.argmax(dim=-1)))
        return answered


def show_decoding(write, model, src):
    """Show what a decoder asks a model, a frame a question; `write` is the decoder."""
    if write is borrowed_writing:  # it asks once, for everything
        raise NotImplementedError("greedy_decode: your turn")
    overheard = Overheard(model)
    written = write(overheard, src, BOS, EOS, 8)
    frames, cell = [], 46
    for step, (shown, answers) in enumerate(overheard.heard, start=1):
        frame = Drawing(WIDTH, 30 + 104 * len(src))
        frame.words(10, 14, f"question {step}", at="start", bold=True)
        for row in range(len(src)):
            y = 36 + 104 * row
            frame.words(130, y + 13, "the model reads", at="end", size=12)
            put_tokens(frame, 142, y, [named(token) for token in shown[row]], cell=cell)
            frame.words(130, y + 55, "it answers", at="end", size=12)
            last = shown.shape[1] - 1
            put_tokens(
                frame,
                142,
                y + 42,
                [named(token) for token in answers[row]],
                cell=cell,
                faint=range(last),
            )
            at = 142 + last * cell
            frame.box(at - 3, y + 39, cell + 2, 32, PAPER, opacity=0, edge=INK)
            frame.line((at + cell, y + 46), (at + cell + 16, y + 24), arrow=True)
            if (written[row, : step + 1] == EOS).any() and step < written.shape[1]:
                frame.words(
                    at + cell + 24,
                    y + 14,
                    f"goes on with {named(written[row, step])}",
                    at="start",
                    size=12,
                )
        frames.append(frame)
    if frames:
        rows = "; ".join(" ".join(map(named, row)) for row in written)
        show_frames(
            frames, f"What is asked, step by step. In the end there stands: {rows}.", seconds=1.5
        )


def repeats(text):
    """Return the share of a text's runs of five tokens that occurred in it before."""
    numbers, seen, again = text_model.encode(text), set(), 0
    runs = list(zip(*(numbers[start:] for start in range(5)), strict=False))
    for run in runs:
        again += run in seen
        seen.add(run)
    return again / max(len(runs), 1)


class GoesOn(nn.Module):
    """The model that writes, as an encoder–decoder: its source is the beginning of its text."""

    bos, eos = 512, 513  # neither is among its 512 tokens, so it never ends by itself

    def __init__(self):
        super().__init__()
        self.ready = ReadyModel()

    def forward(self, src, tgt):
        text = torch.cat([src, tgt[:, 1:]], dim=1)
        logits = self.ready(text[:, -text_model.length :])
        missing = tgt.shape[1] - logits.shape[1]
        return F.pad(logits, (0, 0, missing, 0)) if missing > 0 else logits[:, -tgt.shape[1] :]


class Runner(nn.Module):
    """PyTorch's Transformer for strings of digits, whose decoder may or may not look ahead."""

    def __init__(self, peeks, d_model=64):
        super().__init__()
        self.peeks = peeks
        self.read, self.wrote = (nn.Embedding(VOCAB, d_model) for _ in range(2))
        layers = {"num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": 128}
        self.theirs = nn.Transformer(d_model, 4, **layers, dropout=0.0, batch_first=True)
        self.says = nn.Linear(d_model, VOCAB)

    def forward(self, src, tgt):
        t = tgt.shape[1]
        later = None if self.peeks else nn.Transformer.generate_square_subsequent_mask(t)
        read = self.read(src) + table_of_positions(src.shape[1])
        return self.says(self.theirs(read, self.wrote(tgt) + table_of_positions(t), tgt_mask=later))


def likeliest_text(write, words, n=300):
    """Return the text that a decoder writes on from `words` with the model from the top."""
    if write is borrowed_writing:  # it knows strings of digits alone
        raise NotImplementedError("greedy_decode: your turn")
    src = torch.tensor([text_model.encode(words)])
    tokens = write(GoesOn(), src, GoesOn.bos, GoesOn.eos, n)[0, 1:]
    return text_model.decode([*src[0].tolist(), *tokens.tolist()])


def show_tokens(lines):
    """Show lines of tokens in boxes, one below the other: a dict from names to {column: token}."""
    drawing, cell = Drawing(WIDTH, 18 + 46 * len(lines)), 62
    for row, (name, tokens) in enumerate(lines.items()):
        y, role = 12 + 46 * row, "memory" if name == "the source" else "target"
        drawing.words(150, y + 13, name, at="end", size=13)
        for column, token in tokens.items():
            put_tokens(drawing, 170 + column * cell, y, [token], role=role, cell=cell)
        if name == "and should say":
            for column in tokens:
                middle = 170 + (column + 0.5) * cell - 2
                drawing.line((middle, y - 18), (middle, y - 2), arrow=True)
    told = "; ".join(
        f"{name}: {' '.join(map(str, tokens.values()))}" for name, tokens in lines.items()
    )
    show_drawing(drawing, f"Lines of tokens in boxes. {told}.")


def show_look(look):
    """Draw where TinyModel looks; its numbers may be negative."""
    drawing, cell, largest = Drawing(WIDTH, 300), 42, look.abs().max().item()
    for i, row in enumerate(look.tolist()):
        drawing.words(
            196,
            62 + (i + 0.5) * cell - 20,
            f"row {i} says {'digit ' + str(i + 1) if i < 5 else 'EOS'}",
            size=12,
            at="end",
        )
        for j, number in enumerate(row):
            place = (206 + j * cell, 42 + i * cell, cell - 2, cell - 2)
            share = abs(number) / largest
            drawing.box(*place, PAPER, edge=PALE)
            drawing.box(*place, COLOURS["weights"] if number > 0 else INK, opacity=share)
            ink = PAPER if share > 0.6 else INK
            drawing.words(place[0] + 20, place[1] + 20, f"{number:+.1f}", size=12, colour=ink)
    for j in range(look.shape[1]):
        drawing.words(226 + j * cell, 28, f"place {j}", size=9.5)
    most = look.abs().argmax(dim=1).tolist()
    show_drawing(
        drawing, f"Factors, one row per step. The rows 0 to 5 are largest at the places {most}."
    )


# Training, and what comes of it.


def show_curves(curves, level, changes=()):
    """Draw losses by name, their running mean, and where the learning rate changed."""
    ax = plt.subplots(figsize=(7.2, 3.2), layout="constrained")[1]
    told = []
    colours = (INK, COLOURS["context"])
    for (name, losses), colour, style in zip(curves.items(), colours, ("-", "--"), strict=False):
        smooth = torch.tensor(losses).unfold(0, min(15, len(losses)), 1).mean(dim=1)
        ax.plot(losses, color=colour, alpha=0.2)
        start = len(losses) - len(smooth)
        ax.plot(range(start, len(losses)), smooth, style, color=colour, linewidth=2, label=name)
        told.append(f"{name}: from {losses[0]:.2f} to {smooth[-1]:.4f}")
    ax.axhline(level, color=COLOURS["mask"], linestyle=":")
    ax.text(
        0.99, level, "no idea at all ", ha="right", va="bottom", transform=ax.get_yaxis_transform()
    )
    for step in changes:
        ax.axvline(step, color=PALE, linestyle="--", linewidth=1)
    if min(min(losses) for losses in curves.values()) < level / 20:
        ax.set_yscale("log")
    ax.set(xlabel="batch", ylabel="loss")
    ax.legend(loc="lower left")
    show(f"Loss over batches. {'; '.join(told)}.")


def show_forming(moments, rows, columns, should):
    """Show training as frames: `moments` maps batches to (heads' weights, what it writes, share)."""
    frames, cell = [], 24
    largest = max(moments)
    for batches, (weights, said, share) in moments.items():
        frame = Drawing(WIDTH, 300)
        frame.words(10, 16, f"after {batches:,} batches", at="start", bold=True)
        for head, each in enumerate(weights[:4]):
            x = 46 + head * 165
            frame.words(x + 2.5 * cell, 44, f"head {head}", size=12)
            put_grid(frame, x, 74, each.tolist(), rows, columns, cell=cell, top=1)
        frame.words(96, 251, "it says", size=13, at="end")
        put_tokens(
            frame,
            106,
            238,
            [named(token) for token in said],
            marks=[a == b for a, b in zip(said, should, strict=True)],
        )
        frame.words(340, 251, f"unseen strings right: {share:.0%}", size=13, at="start")
        frame.box(340, 264, 320, 12, PALE, opacity=0.6)
        frame.box(340, 264, 320 * share, 12, INK)
        frames.append(frame)
    shares = ", ".join(f"{batches}: {share:.0%}" for batches, (_, _, share) in moments.items())
    show_frames(
        frames,
        f"The heads of the last layer as they form, from 0 to {largest} batches, and what the model says. "
        f"Unseen strings right after so many batches: {shares}.",
        seconds=1.3,
    )


def show_strings(rows):
    """Show strings, what is written, and what is right: rows of (title, source, written, right)."""
    drawing = Drawing(WIDTH, 14 + 62 * len(rows))
    for row, (title, source, written, right) in enumerate(rows):
        y, cell = 10 + 62 * row, 30
        drawing.words(8, y + 14, title, at="start", size=13, bold=True)
        put_tokens(drawing, 150, y, [named(token) for token in source], role="memory", cell=cell)
        at = 150 + max(len(source), 6) * cell
        drawing.line((at + 4, y + 13), (at + 30, y + 13), arrow=True)
        marks = [i < len(right) and int(token) == int(right[i]) for i, token in enumerate(written)]
        put_tokens(drawing, at + 42, y, [named(token) for token in written], cell=cell, marks=marks)
    told = "; ".join(
        f"{title}: {' '.join(map(named, source))} becomes {' '.join(map(named, written))}, right is {' '.join(map(named, right))}"
        for title, source, written, right in rows
    )
    show_drawing(drawing, f"Strings and what is written, with ✓ and ✗. {told}.")


def show_switches(heads, off, share, rows):
    """Show the heads as tiles, those switched off in shadow, and what the model then writes."""
    layers = sorted({layer for layer, _ in heads})
    drawing = Drawing(WIDTH, 62 + 50 * len(layers) + 62 * len(rows))
    for layer, head in heads:
        x, y = 90 + 58 * head, 12 + 50 * layer
        if (layer, head) in off:
            drawing.box(x, y, 50, 40, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
            drawing.box(x + 8, y + 10, 34, 20, PAPER, opacity=0.9)
        else:
            drawing.box(x, y, 50, 40, COLOURS["weights"], opacity=0.2, edge=COLOURS["weights"])
        drawing.words(
            x + 25, y + 20, f"{layer}.{head}" if (layer, head) not in off else "off", size=13
        )
    for layer in layers:
        drawing.words(80, 32 + 50 * layer, f"layer {layer}", at="end", size=13)
    drawing.words(350, 32, f"{share:.1%}", at="start", size=30, bold=True)
    drawing.words(350, 62, "of the unseen strings right", at="start", size=13)
    for row, (source, written, right) in enumerate(rows):
        y = 32 + 50 * len(layers) + 62 * row
        put_tokens(drawing, 20, y, [named(token) for token in source], role="memory", cell=32)
        drawing.line((190, y + 13), (220, y + 13), arrow=True)
        marks = [int(a) == int(b) for a, b in zip(written, right, strict=True)]
        put_tokens(drawing, 235, y, [named(token) for token in written], cell=32, marks=marks)
    told = ", ".join(f"{layer}.{head}" for layer, head in off) or "none"
    show_drawing(
        drawing,
        f"Eight heads; switched off: {told}. Right then: {share:.1%} of the unseen strings.",
    )


def show_heat_maps(panels, rows, columns, width=1.8):
    """Show matrices by title side by side, all in one scale of colours."""
    size = (width * len(panels) + 0.2, 2.5)
    axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)[1]
    for place, (title, weights) in enumerate(panels.items()):
        ax = axes[0][place]
        ax.imshow(weights.detach(), cmap=WEIGHTS_MAP, vmin=0, vmax=1)
        ax.set_xticks(range(len(columns)), columns)
        ax.set_yticks(range(len(rows)), rows if place == 0 else [""] * len(rows))
        ax.tick_params(length=0)
        ax.set_title(title, fontsize=10)
    axes[0][0].set_ylabel("reads")
    most = {
        title: ", ".join(str(columns[j]) for j in weights.argmax(dim=1).tolist())
        for title, weights in panels.items()
    }
    told = "; ".join(f"{title}: the rows are largest at {found}" for title, found in most.items())
    show(f"Heat maps of weights. {told}.")


def show_sizes(sizes):
    """Show numbers of parameters as areas, all in one scale; what is too small to be seen is a speck."""
    largest, top, x = max(sizes.values()), 300, 16
    drawing = Drawing(WIDTH, 330)
    for row, (name, size) in enumerate(sorted(sizes.items(), key=lambda each: -each[1])):
        side = max(top * (size / largest) ** 0.5, 1)
        drawing.box(x, 316 - side, side, side, INK, corner=0)
        if row == 0:
            drawing.words(x + 14, 40, name, at="start", size=15, bold=True, colour=PAPER)
            drawing.words(x + 14, 64, f"{size:,}", at="start", size=15, colour=PAPER)
        else:
            y = 60 + 56 * row
            drawing.line(
                (x + side / 2, 314 - side), (430, y + 10), colour=COLOURS["mask"], width=0.8
            )
            drawing.words(438, y, name, at="start", size=13, bold=True)
            drawing.words(438, y + 19, f"{size:,}", at="start", size=13)
        x += side + 14
    told = ", ".join(f"{name}: {size:,}" for name, size in sizes.items())
    show_drawing(drawing, f"Squares whose areas are numbers of parameters. {told}.")


# What a model costs.

GPT2 = {  # Radford et al. 2019, the smallest
    "vocab": 50_257,
    "d_model": 768,
    "d_ff": 3_072,
    "n_layers": 12,
    "max_len": 1_024,
    "n": 1_024,
}


def counted(vocab, d_model, d_ff, n_layers, max_len, n):
    """Let PyTorch count a model's parameters, and the multiplications by which it reads n tokens."""
    from torch.utils.flop_counter import FlopCounterMode

    with torch.device("meta"):  # shapes without numbers
        ends = nn.ModuleList([nn.Embedding(vocab, d_model), nn.Embedding(max_len, d_model)])
        ends.append(nn.LayerNorm(d_model))
        blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, 1, d_ff, batch_first=True) for _ in range(n_layers)
        )
        x = torch.zeros(1, n, d_model)
        with FlopCounterMode(display=False) as counter:
            for layer in blocks:
                layer.self_attn(x, x, x)
                layer.linear2(layer.linear1(x))
            x @ ends[0].weight.T
    parameters = sum(value.numel() for part in (ends, blocks) for value in part.parameters())
    return parameters, counter.get_total_flops() // 2  # it counts additions as well


def counted_llama(d_model, d_ff, n_layers, vocab=128_256, keys=8 * 128):
    """Count a Llama 3.1: keys and values have 8 heads of 128, the feed-forward network three matrices."""
    block = 2 * d_model**2 + 2 * d_model * keys + 3 * d_model * d_ff + 2 * d_model
    return n_layers * block + 2 * vocab * d_model + d_model


# The watch, and rules of one's own.


@torch.no_grad()
def said_alone(model, src, right):
    """Return what a model says after each right beginning, shown nothing of what follows it.

    It writes a string without a mistake if all of that is right.
    """
    beginnings = [right[:, :n] for n in range(1, right.shape[1])]
    return torch.hstack([model.eval()(src, each).argmax(dim=-1)[:, -1:] for each in beginnings])


def share_alone(model, src, targets):
    """Return the share of strings that a model writes on its own without any mistake."""
    right = targets(src)
    return (said_alone(model, src, right) == right[:, 1:]).all(dim=1).float().mean().item()


@torch.no_grad()
def share_right(model, src):
    """Return the share of strings right at every place, all places at once, as in training."""
    right = backwards(src)
    said = model.eval()(src, right[:, :-1]).argmax(dim=-1)
    return (said == right[:, 1:]).all(dim=1).float().mean().item()


@torch.no_grad()
def weights_of(model, ending, *inputs):
    """Return the weights of every attention whose name ends so, one (heads, t, s) tensor each.

    They are averages over the batch.
    """
    seen = []

    def record(module, args, kwargs):
        kwargs = kwargs | {"need_weights": True, "average_attn_weights": False}
        seen.append(module.forward(*args, **kwargs)[1].mean(dim=0))

    parts = [part for name, part in model.named_modules() if name.endswith(ending)]
    hooks = [part.register_forward_pre_hook(record, with_kwargs=True) for part in parts]
    try:
        model.eval()(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return seen


def cross_attention(model, src):
    """Return where each head looks in the source while its reverse is written."""
    return weights_of(model, "multihead_attn", src, backwards(src)[:, :-1])


watched = {}  # after so many batches: heads of the last layer, what is said, the share that is right


def look(model, batches_so_far):
    """Print how the model does when it writes on its own; keep where the heads of its last layer look."""
    said = said_alone(model, source, backwards(source))[0].tolist()
    written = "".join(str(token) if token < BOS else "·" for token in said[:5])
    mark = "✓" if said == backwards(source)[0, 1:].tolist() else "✗"
    share, shown = share_alone(model, kept_back, backwards), share_right(model, kept_back)
    print(
        f"{batches_so_far:>5} batches: {share:>6.1%} of unseen strings right   50217 → {written} {mark}"
    )
    if shown > share + 0.02:
        print(
            f"      Too good to be true: {shown:.1%} are right while the rest of the target is in sight, as "
            f"in training.\n      Does a position see the token that it should say? Look at the mask."
        )
    seen = cross_attention(model, source)
    if seen:
        watched[batches_so_far] = seen[-1], said, share


def watch(model, batches, so_far):
    """Pass the batches on, and look at the model now and then: at first often."""
    for number, batch in enumerate(batches, start=so_far):
        if number in (0, 20, 40, 60, 80, 100, 150, 200, 300, 500) or number % 400 == 0:
            mode = model.training
            look(model, number)
            model.train(mode)
        yield batch


def show_heads(model, src, rows, columns):
    """Show where each head looks while the reverse of src is written, one line of pictures per layer."""
    for number, seen in enumerate(cross_attention(model, src)):
        panels = {f"head {number}.{head}": weights for head, weights in enumerate(seen)}
        says = f"Layer {number}, heads 0 to {len(seen) - 1}: weights in hundredths."
        show_grids(panels, rows, columns, says=says, looks="reads", seen="is looked at")


def trained():
    """Return the model that has learned; say what is missing if there is none."""
    if model is None:
        wait_for("Transformer", "train", "DecoderBlock", "causal_mask")
    assert model is not None, "Run the cell that trains the model first."
    return model


def wait_for(*names):
    """Say which exercise is missing, before a cell needs what another one made with it."""
    for name in names:
        if is_unsolved(name):
            raise NotImplementedError(f"{name}: your turn")


def targets_of(rule):
    """Return the function that makes targets out of sources by a rule for lists of digits."""

    def targets(src):
        rows = [[int(digit) for digit in rule(string)] for string in src.tolist()]
        same = len({len(row) for row in rows}) == 1
        assert same and all(0 <= digit <= 9 for row in rows for digit in row), (
            "A rule returns equally many digits for every string, each from 0 to 9. Yours makes "
            f"{rows[:3]} of {src[:3].tolist()}."
        )
        return torch.tensor([[BOS, *row, EOS] for row in rows])

    return targets


def taught(model, train, rule, batches, string=""):
    """Train a model to follow a rule; print what it makes of a string meanwhile."""
    if train is borrowed_training:  # it knows one rule alone
        raise NotImplementedError("train: your turn")
    targets, so_far = targets_of(rule), 0
    for share, lr in ((0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 1.5e-3), (0.2, 4e-4)):
        rows = torch.randint(len(for_training), (max(1, round(share * batches)), 64))
        train(model, ((for_training[row], targets(for_training[row])) for row in rows), lr=lr)
        so_far += len(rows)
        if string:
            src = torch.tensor([[int(digit) for digit in string]])
            right = targets(src)
            said, right = said_alone(model, src, right)[0].tolist(), right[0, 1:].tolist()
            mark = "✓" if said == right else "✗"
            print(f"{so_far:>5} batches: {string} → {' '.join(map(named, said))} {mark}")
    return model


def show_rule(model, rule, src):
    """Show what a model makes of strings by a rule."""
    right = targets_of(rule)(src)
    said = said_alone(model, src, right)
    each = zip(src.tolist(), said.tolist(), right[:, 1:].tolist(), strict=True)
    show_strings([(rule.__name__ if row == 0 else "", *three) for row, three in enumerate(each)])


# Models that only write.


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
    """Print how a language model does, what it writes, and how long it still takes."""
    left = f"about {seconds / step * (steps - step):.0f} s left" if step else "it knows nothing yet"
    left = f"{seconds:.0f} s in all" if step == steps and step else left
    print(
        f"step {step:,}: {bits_of(model, unread):.2f} bits a token of what it hasn't read; {left}"
    )
    print("   ", write_on(model, words, n=30).replace("\n", " ↵ "), flush=True)


class Writes(nn.Module):
    """A language model for a loop that trains encoder–decoders: it has a source and ignores it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, src, tgt):
        return self.model(tgt)


def pieces(model, numbers, unread, steps, words):
    """Yield batches of pieces of a text, without an end; report between them."""
    if train is borrowed_training:  # it knows strings of digits alone
        raise NotImplementedError("train: your turn")
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
        frame = Drawing(WIDTH, 70 + cell * len(song))
        frame.words(40, 14, f"after {step:,} batches", at="start", bold=True)
        put_grid(frame, 40, 46, looks.tolist(), song, song, cell=cell, top=1)
        x = 70 + cell * len(song)
        frame.words(x, 120, f"{share:.0%}", at="start", size=30, bold=True)
        frame.words(x, 148, "of the repeated tokens foreseen", at="start", size=13)
        frame.box(x, 164, 260, 12, PALE, opacity=0.6)
        frame.box(x, 164, 260 * share, 12, INK)
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


# What BORROW lends.


def borrowed_mask(n):
    """PyTorch's causal mask, which holds 0 where one may look and minus infinity elsewhere."""
    return nn.Transformer.generate_square_subsequent_mask(n) == 0


class BorrowedDecoderBlock(nn.Module):
    """PyTorch's decoder layer."""

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__()
        self.theirs = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x, memory):
        later = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.theirs(x, memory, tgt_mask=later)


class BorrowedTransformer(nn.Module):
    """PyTorch's Transformer for this notebook's strings: 12 tokens at 20 places, marked by ones."""

    def __init__(self, src_vocab, tgt_vocab):
        super().__init__()
        layers = {"num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": 128}
        self.theirs = nn.Transformer(64, 4, **layers, dropout=0.0, batch_first=True)

    def forward(self, src, tgt):
        later = nn.Transformer.generate_square_subsequent_mask(tgt.shape[1])
        return self.theirs(self.mark(src), self.mark(tgt), tgt_mask=later)[..., :12]

    def mark(self, tokens):
        places = torch.arange(tokens.shape[1]).expand_as(tokens)
        return 4.0 * torch.cat([F.one_hot(tokens, 32), F.one_hot(places, 32)], dim=-1)


class BorrowedCausalBlock(nn.TransformerEncoderLayer):
    """PyTorch's encoder layer, under a causal mask."""

    def __init__(self, d_model=64, n_heads=4, d_ff=256, dropout=0.0):
        super().__init__(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x):
        return super().forward(x, nn.Transformer.generate_square_subsequent_mask(x.shape[1]))


def borrowed_writing(model, src, bos, eos, max_len):
    """No writing at all: what the model says when it is shown the right beginning."""
    whole = backwards(src)
    said = model.eval()(src, whole[:, :-1]).argmax(dim=-1)
    return torch.cat([whole[:, :1], said], dim=1)


def borrowed_training(model, batches, lr=1e-3):
    """Learning with PyTorch's own optimiser; it knows this notebook's task and no other."""
    optimiser, losses = optim.Adam(model.train().parameters(), lr=lr), []
    for src, _ in batches:
        whole = backwards(src)
        said = torch.distributions.Categorical(logits=model(src, whole[:, :-1]))
        losses.append(-said.log_prob(whole[:, 1:]).mean())
        optimiser.zero_grad(set_to_none=True)
        losses[-1].backward()
        optimiser.step()
    return [loss.item() for loss in losses]


LENT = {
    "causal_mask": borrowed_mask,
    "DecoderBlock": BorrowedDecoderBlock,
    "Transformer": BorrowedTransformer,
    "greedy_decode": borrowed_writing,
    "train": borrowed_training,
    "CausalBlock": BorrowedCausalBlock,
}
