def draw_what_to_write():
    """Draw two sources, and what is to be written for them: of one width, though one ends earlier."""
    drawing, cell = Drawing(COLUMN, 118), 46
    drawing.words(70, 14, "src", code=True, size=13, at="start")
    drawing.words(230, 14, "the result, (batch, width)", code=True, size=13, at="start")
    for row, (source, written) in enumerate(((3, [3, 2, 1, 0]), (1, [1, 0]))):
        y, ends = 34 + 42 * row, 5 - len(written)
        put_tokens(drawing, 70, y, [source], role="memory", cell=cell)
        drawing.line((140, y + 13), (200, y + 13), arrow=True)
        put_tokens(drawing, 230, y, ["BOS", *written, *["EOS"] * ends], cell=cell)
    show_drawing(
        drawing,
        "src = [[3], [1]] becomes [[10, 3, 2, 1, 0, 11], [10, 1, 0, 11, 11, 11]]: the second row ends "
        "earlier, and is filled up with EOS.",
    )


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
    overheard = Overheard(model)
    written = write(overheard, src, BOS, EOS, 8)
    frames, cell = [], 34
    for step, (shown, answers) in enumerate(overheard.heard, start=1):
        frame = Drawing(COLUMN, 30 + 104 * len(src))
        frame.words(4, 14, f"question {step}", at="start", bold=True)
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


class GoesOn(nn.Module):
    """The model that writes, as an encoder–decoder: its source is the beginning of its text."""

    bos, eos = 512, 513  # neither is among its 512 tokens, so it never ends by itself

    def __init__(self):
        super().__init__()
        self.ready = ready

    def forward(self, src, tgt):
        text = torch.cat([src, tgt[:, 1:]], dim=1)
        logits = self.ready(text[:, -text_model.length :])
        missing = tgt.shape[1] - logits.shape[1]
        return F.pad(logits, (0, 0, missing, 0)) if missing > 0 else logits[:, -tgt.shape[1] :]


def likeliest_text(write, words, n=300):
    """Return the text that a decoder writes on from `words` with the model from the top."""
    src = torch.tensor([text_model.encode(words)])
    tokens = write(GoesOn(), src, GoesOn.bos, GoesOn.eos, n)[0, 1:]
    return text_model.decode([*src[0].tolist(), *tokens.tolist()])


def echoes(text):
    """Return, for each run of five tokens in a text, whether it occurred in it before."""
    numbers, seen, again = text_model.encode(text), set(), []
    for run in zip(*(numbers[start:] for start in range(5)), strict=False):
        again.append(run in seen)
        seen.add(run)
    return again


def repeats(text):
    """Return the share of a text's runs of five tokens that occurred in it before."""
    again = echoes(text)
    return sum(again) / max(len(again), 1)


def show_echoes(texts):
    """Show texts by name as strips from their beginning to their end: dark is what was said before."""
    drawing, left, wide, told = Drawing(COLUMN, 44 + 40 * len(texts)), 156, 330, []
    drawing.words(left, 14, "From beginning to end: dark was said before", at="start", bold=True)
    for row, (name, text) in enumerate(texts.items()):
        y, again = 36 + 40 * row, echoes(text)
        runs = max(len(again), 1)
        cell, share = wide / runs, f"{sum(again) / runs:.0%}"
        drawing.words(left - 10, y + 13, name, at="end")
        drawing.box(left, y, wide, 26, PALE, opacity=0.35, corner=0)
        for place, is_echo in enumerate(again):
            if is_echo:
                drawing.box(left + place * cell, y, cell + 0.3, 26, TEAL, corner=0)
        drawing.words(left + wide + 10, y + 13, share, at="start", bold=True)
        told.append(f"{name} {share}")
    show_drawing(drawing, f"Said before: {', '.join(told)}.")


def marked(text):
    """Return a text with the phrase of three words or more in «» that, repeated, fills most of it."""
    words, best, filled = text.split(), None, 0
    text = " ".join(words)
    for size in range(3, len(words) // 2 + 1):
        for start in range(len(words) - size + 1):
            phrase = re.escape(" ".join(words[start : start + size]))
            whole_words = re.compile(rf"(?<!\S){phrase}(?!\S)")
            again = len(whole_words.findall(text))
            if again > 1 and again * size > filled:
                best, filled = whole_words, again * size
    return best.sub(r"«\g<0>»", text) if best else text


def show_repeats(texts, beginnings):
    """Show where texts repeat themselves, and how they end, from one of their beginnings.

    texts: by kind, a text for each; taken is that from which those of the first kind repeat most.
    """
    first = next(iter(texts.values()))
    at = max(range(len(first)), key=lambda number: repeats(first[number]))
    show_echoes({name: each[at] for name, each in texts.items()})
    print(wrapped(f"All from “{beginnings[at]}”; in «» the phrase that returns most."))
    ends = {name: each[at][-250:].partition(" ")[2] for name, each in texts.items()}
    show_texts({name: f"… {marked(end)}" for name, end in ends.items()})
