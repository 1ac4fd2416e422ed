def looks_of_words(text, attention, most=30):
    """Return the words of a text that the model writes on, how many are the text's own, and their looks.

    Looks are averages over the heads: an array (n, n), a row for each word, whose pieces share its looks.
    """
    own = len(text_model.encode(text))
    written = ended(text_model.write_on(text, attention), len(text)).rstrip(" …")
    numbers = text_model.encode(written)[: text_model.length]
    seen, _ = watch(numbers, attention)
    pieces = np.zeros((len(numbers), len(numbers)))
    for call, weights in enumerate(seen):
        pieces[call // HEADS, : len(weights)] += weights / HEADS
    words, parts = [], []
    for number in numbers:
        piece = text_model.tokens[number]
        if not (words and piece.isalpha() and words[-1][-1].isalpha()):
            words.append("")
        words[-1] += piece
        parts.append(len(words) - 1)
    is_part = np.arange(len(words))[:, None] == parts
    looks = is_part @ pieces @ is_part.T / is_part.sum(axis=1, keepdims=True)
    own = parts[min(own, len(parts)) - 1] + 1 if own else 0
    kept = [at for at, word in enumerate(words) if word.strip()][:most]
    own = sum(at < own for at in kept)
    return [words[at].strip() for at in kept], own, looks[np.ix_(kept, kept)]


def show_keepsake(text, attention, name=""):
    """Draw a text and what the model writes after it as a ring of words, with a thread for each look.

    Each word's strongest look is bold. The more the later words look at a word, the larger it is.
    """
    read = as_read(text)
    words, own, looks = looks_of_words(read, attention)
    mention_left_out(text)
    n, radius = len(words), 166
    looks = np.tril(looks, -1)  # what a word sees of itself needs no thread
    strongest, turns = looks.argmax(axis=1), 2 * np.pi * (np.arange(n) + 0.5) / n - np.pi / 2
    written = [cut(word, 18) for word in words]
    sizes = [
        min(13 + 5 * min(found, 1.2), 88 / (0.6 * len(word)))
        for word, found in zip(written, looks.sum(axis=0), strict=True)
    ]
    reach = radius + 9 + 0.6 * np.array(sizes) * [len(word) for word in written]
    heights = reach * np.sin(turns)  # of the outer ends of the words, below the centre
    centre = COLUMN / 2, 56 + max(-heights.min(), radius)
    end = centre[1] + max(heights.max(), radius) + 12
    drawing = Drawing(COLUMN, round(end) + 22 * bool(name))

    def place(number, distance):
        angle = 2 * np.pi * (number + 0.5) / n - np.pi / 2
        return centre + distance * np.array([np.cos(angle), np.sin(angle)])

    def thread(looking, seen, **style):
        apart = looking - seen
        between = (looking + seen + n * (apart > n / 2)) / 2
        bent = place(between, 0.8 * radius * (1 - 2 * min(apart, n - apart) / n))
        start, end = place(looking, radius), place(seen, radius)
        way = np.linspace(0, 1, 17)[:, None]
        points = (1 - way) ** 2 * start + 2 * way * (1 - way) * bent + way**2 * end
        drawing.line(*points, colour=COLOURS["weights"], **style)

    for looking, seen in np.argwhere(looks >= 0.03):
        share, is_strongest = looks[looking, seen], seen == strongest[looking]
        thread(looking, seen, width=0.8 + 10 * share, opacity=0.85 if is_strongest else 0.25)
    for number, (word, size, turn) in enumerate(zip(written, sizes, turns, strict=True)):
        at, turn = place(number, radius + 9), np.degrees(turn)
        written_along(drawing, at, turn, word, size, is_own=number < own)
    title = cut(f"{read.strip() or words[0]} …", 48)
    drawing.words(4, 14, title, at="start", bold=True, size=15)
    says = "Every thread is a look by my own attention."
    drawing.words(4, 34, says, at="start", colour=GREY, size=12)
    drawing.words(COLUMN - 4, end + 6, cut(name, 46), at="end", bold=True, size=15)
    told = "; ".join(
        f"{word} at {words[seen]} ({row[seen]:.0%})"
        for word, row, seen in zip(words[1:], looks[1:], strongest[1:], strict=True)
    )
    show_drawing(drawing, f"A ring of {n} words, {own} of them mine. Each looks back most: {told}.")


def as_read(text, most=24):
    """Return a text as the model reads it; of a long one only its end, so that the ring has room for more."""
    numbers = text_model.encode(text)
    if len(numbers) <= most:
        return text_model.decode(numbers)
    print("(Of your long text, the ring has the end.)")
    return text_model.decode(numbers[-most:]).partition(" ")[2]


def cut(text, most):
    """Return a text, or of a long one so many letters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def written_along(drawing, at, turn, word, size, is_own):
    """Write a word outwards from a place on a ring, never upside down; `turn` is in degrees."""
    is_left = 90 < turn < 270
    kind = ' class="b"' if is_own else ""
    drawing.parts.append(
        f'<text transform="translate({at[0]:.1f},{at[1]:.1f}) rotate({turn - 180 * is_left:.1f})" '
        f'fill="{INK if is_own else TEAL}" font-size="{size:.1f}" '
        f'text-anchor="{"end" if is_left else "start"}"{kind}>{html.escape(word)}</text>'
    )
