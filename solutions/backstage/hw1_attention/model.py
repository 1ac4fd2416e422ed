text_model = TextModel()


def surprised_by(text, attention=None, broken=None):
    """Show how many bits each token of a text costs the model, and say their mean.

    With a `broken` attention, show what they cost with it beside what they cost as it should be.
    """
    tokens, bits = text_model.surprise(text, attention)
    if broken is None:
        show_surprise(tokens, bits)
        print(f"{np.mean(bits):.1f} bits a token")
        return
    _, worse = text_model.surprise(text, broken)
    show_surprise(tokens, bits, worse)
    print(
        f"pale: as it should be, {np.mean(bits):.1f} bits a token; dark: broken, {np.mean(worse):.1f}"
    )


def show_surprise(tokens, bits, worse=None):
    """Draw a text, over each token a bar as high as the bits that it cost the model, with a scale.

    If it cost more in a `worse` reading, that bar stands beside the first, which is pale then.
    """
    size, x, y, lines, most, bit = 8.6, 46, 98, [], 12, 6
    readings = [bits] if worse is None else [bits, worse]
    for token, *costs in zip(tokens, *([0, *each] for each in readings), strict=True):
        width = size * len(token) + 3
        if x + width > 695:
            x, y = 46, y + 104
        lines.append((x, y, width, token, costs))
        x += width
    drawing = Drawing(700, y + 20)
    for top in sorted({line[1] for line in lines}):
        for mark in (0, 4, 8, most):
            level = top - 14 - bit * mark
            drawing.line((44, level), (696, level), colour=PALE, width=1)
            drawing.words(38, level, mark, at="end", size=9)
        drawing.words(16, top - 14 - 6 * bit, "bits", size=10)
    for left, top, width, token, costs in lines:
        for n, cost in enumerate(costs):
            high, x = bit * min(cost, most + 1), left + (width - 3) / 2 - 5 * len(costs) + 10 * n
            opacity = 0.8 if n == len(costs) - 1 else 0.3
            drawing.box(x, top - 14 - high, 10, high, TEAL, opacity=opacity)
        shown = token.replace("\n", "¶").replace(" ", "\u00a0")
        drawing.words(left, top, shown, at="start", size=14, code=True)
    told = ", ".join(
        f"{token.strip()} {' and '.join(f'{cost:.0f}' for cost in costs)}"
        for _, _, _, token, costs in lines[1:]
    )
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
            names = [text_model.tokens[token].replace(" ", "·") for token in best]
            likeliest = {
                name.replace("\n", "↵"): shares[token]
                for name, token in zip(names, best, strict=True)
            }
        numbers.append(int(draw.choice(len(shares), p=shares)))
    return likeliest, text_model.decode(numbers)
