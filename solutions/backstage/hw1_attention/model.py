text_model = TextModel()


def surprised_by(text, attention=None):
    """Show how many bits each token of a text costs the model, and say their mean."""
    tokens, bits = text_model.surprise(text, attention)
    show_surprise(tokens, bits)
    print(f"{np.mean(bits):.1f} bits a token")


def show_surprise(tokens, bits):
    """Draw a text, over each token a bar as high as the bits that it cost the model, with a scale."""
    size, x, y, lines, most = 8.6, 46, 62, [], 12
    for token, cost in zip(tokens, [0, *bits], strict=True):
        width = size * len(token) + 3
        if x + width > 695:
            x, y = 46, y + 68
        lines.append((x, y, width, token, cost))
        x += width
    drawing = Drawing(700, y + 20)
    for top in sorted({line[1] for line in lines}):
        for mark in (0, 4, 8, most):
            level = top - 14 - 3 * mark
            drawing.line((44, level), (696, level), colour=PALE, width=1)
            drawing.words(38, level, mark, at="end", size=9)
        drawing.words(18, top - 14 - 18, "bits", size=10)
    for left, top, width, token, cost in lines:
        high = 3 * min(cost, most + 1)
        drawing.box(left + (width - 3) / 2 - 5, top - 14 - high, 10, high, TEAL, opacity=0.75)
        shown = token.replace("\n", "¶").replace(" ", "\u00a0")
        drawing.words(left, top, shown, at="start", size=14, code=True)
    told = ", ".join(f"{token.strip()} {cost:.0f}" for _, _, _, token, cost in lines[1:])
    show_drawing(drawing, f"A text with a bar over each token, as high as its bits: {told}.")


MANUAL = [  # in the words of the model's own reading, to measure it by
    "The value of the attribute is returned by the method of the class. If the class has no such "
    "attribute, an AttributeError exception is raised, and the name of the attribute is given.",
    "If the object is not a string, a TypeError exception is raised. Otherwise the string is "
    "evaluated as an expression, and the result of the expression is returned.",
    "A function is called with the same arguments as the method of the class. The first argument is "
    "the object itself, and the other arguments are those of the call.",
    "The following example shows how the name of the module is used. The name is bound in the local "
    "namespace of the function, so it can be used before the end of the block.",
]


def bits_of(attention):
    """Return the bits a token that the model needs for a few sentences, with this attention."""
    return float(np.mean([np.mean(text_model.surprise(text, attention)[1]) for text in MANUAL]))


def written_with(softmax, text, temperature, n=25, most=6):
    """Return the `most` likeliest tokens after a text, with their shares, and what the model writes.

    softmax: it makes the shares that the tokens are drawn by.
    """
    draw, numbers = np.random.default_rng(0), text_model.encode(text) or text_model.encode("The")
    likeliest = {}
    for _ in range(n):
        *_, scores = text_model.read(numbers[-text_model.length :])
        shares = softmax(scores.astype(float) / temperature)
        if not likeliest:
            best = np.argsort(-shares)[:most]
            likeliest = {repr(text_model.tokens[token]): shares[token] for token in best}
        numbers.append(int(draw.choice(len(shares), p=shares)))
    return likeliest, text_model.decode(numbers)
