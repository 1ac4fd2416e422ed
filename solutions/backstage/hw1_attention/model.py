text_model = TextModel()
HEADS = text_model.n_layers * text_model.n_heads


def go_on(text, attention=None, seed=0):
    """Return what the model writes after a text, up to its last full stop, or else its last whole word."""
    mention_once(text)
    return ended(text_model.write_on(text, attention, seed=seed), len(text))


def ended(text, own):
    """Return a text up to the last full stop after its `own` letters, or else with … after a whole word."""
    stops = [stop.end() for stop in re.finditer(r"\.(?=\s|$)", text) if stop.end() > own + 20]
    return text[: stops[-1]] if stops else f"{text.rsplit(maxsplit=1)[0]} …"


def mention_left_out(text):
    """Say which letters of a text have no token, so that the model doesn't read them."""
    unknown = [letter for letter in dict.fromkeys(text) if letter not in text_model.ranks]
    if unknown:
        print("Left out, since it has no token:\n" + " ".join(unknown))


mention_once = functools.cache(mention_left_out)  # a text is gone on with more than once


def surprised_by(text, attention=None, broken=None):
    """Show how many bits each token of a text costs the model, and say their mean.

    With a `broken` attention, show what they cost with it beside what they cost as it should be.
    """
    tokens, bits = text_model.surprise(text, attention)
    if not bits:
        print("○ Write two words or more: the first token has no bar.")
        return
    mention_left_out(text)
    if len(text_model.encode(text)) > text_model.length:
        print(f"(It reads {text_model.length} tokens at most: these.)")
    if broken is None:
        show_surprise(tokens, bits)
        print(f"{np.mean(bits):.1f} bits a token")
        return
    _, worse = text_model.surprise(text, broken)
    title = (
        f"This text: {np.mean(bits):.1f} bits a token (faint), broken {np.mean(worse):.1f} (bold)"
    )
    show_surprise(tokens, bits, worse, title)


BEGINNING = "The value of the attribute is return"  # after which *ed* is all but certain
PIECES = [text_model.shown(number).strip("·") for number in text_model.encode(BEGINNING)]


def share_of_ed(attention, silent=(), hidden=None):
    """Return the share of *ed* in %, with heads (0 to 7) silenced, or a word hidden from the last look."""
    calls = itertools.count()

    def look(Q, K, V):
        seen = [j for j in range(len(K)) if j != hidden or len(K) < len(PIECES)]
        weights, context = attention(Q, K[seen], V[seen])
        return weights, context * (next(calls) % 8 not in silent)

    *_, scores = text_model.read(text_model.encode(BEGINNING), look)
    return round(100 * own_shares(scores)[text_model.encode("ed")[0]])


def worst_without(attention, heads):
    """Return the share of *ed* in % without so many heads, those without which it is least."""
    choices = itertools.combinations(range(8), heads)
    return min(share_of_ed(attention, silent=silent) for silent in choices)


def show_surprise(tokens, bits, worse=None, title=""):
    """Draw a text, over each token a bar as high as the bits that it cost the model.

    If it cost more in a `worse` reading, that bar stands beside the first, which is faint then.
    """
    size, x, lines = 7.3, 6, []
    readings = [bits] if worse is None else [bits, worse]
    highest = max(1, *map(max, readings))
    bit = min(6, 96 / highest)  # pixels
    tall, above = 44 + bit * highest, 24 if title else 0
    y = above + tall
    for token, *costs in zip(tokens, *([0, *each] for each in readings), strict=True):
        width = size * len(token) + 2.5
        if x + width > COLUMN - 4:
            x, y = 6, y + tall
        lines.append((x, y, width, token, costs))
        x += width
    drawing = Drawing(COLUMN, y + 14)
    if title:
        drawing.words(4, 14, title, at="start", bold=True)
    for top in {line[1] for line in lines}:
        drawing.line((4, top - 14), (COLUMN - 4, top - 14), colour=PALE, width=1)
    for left, top, width, token, costs in lines:
        middle = left + (width - 3) / 2
        for n, cost in enumerate(costs):
            high, x = bit * cost, middle - 4.5 * len(costs) + 9 * n
            opacity = 1 if n == len(costs) - 1 else 0.3
            drawing.box(x, top - 14 - high, 9, high, TEAL, opacity=opacity)
        if costs[-1]:
            says = f"{costs[-1]:.0f}"
            drawing.words(x + 4.5, top - 22 - high, says, size=11.5, colour=GREY)
        shown = token.replace("\n", "↵").replace(" ", "\u00a0")
        drawing.words(left, top, shown, at="start", size=12, code=True)
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


def written_with(softmax, text, temperature, n=25, most=6, seed=0):
    """Return the `most` likeliest tokens after a text, with their shares, and what the model writes.

    softmax: it makes the shares that the tokens are drawn by. The token that was drawn is marked; if it
    isn't among the likeliest, it stands in place of the last of them.
    """
    draw, numbers = np.random.default_rng(seed), text_model.encode(text) or text_model.encode("The")
    likeliest = {}
    for _ in range(n):
        *_, scores = text_model.read(numbers[-text_model.length :])
        shares = softmax(scores.astype(float) / temperature)
        drawn = int(draw.choice(len(shares), p=shares))
        if not likeliest:
            best = np.argsort(-shares)[:most].tolist()
            best[-1] = best[-1] if drawn in best else drawn
            for token in best:
                mark = "\n▲ drawn" if token == drawn else ""
                likeliest[text_model.shown(token) + mark] = shares[token]
        numbers.append(drawn)
    return likeliest, text_model.decode(numbers)


def watch(numbers, attention):
    """Read tokens; return what each head looks at, token by token, and the scores of the next."""
    seen = []

    def watched(Q, K, V):
        weights, context = attention(Q, K, V)
        seen.append(np.ravel(weights))
        return weights, context

    *_, scores = text_model.read(numbers, watched)
    return seen, scores


def looks_after(text, attention):
    """Return a text's tokens, what each head looks at from the last (8, n), and the shares of the next."""
    mention_left_out(text)
    numbers = text_model.encode(text)[-text_model.length :]
    if not numbers:
        print("○ There is nothing to read, so it reads The.")
        numbers = text_model.encode("The")
    seen, scores = watch(numbers, attention)
    tokens = [text_model.tokens[number].strip() or text_model.shown(number) for number in numbers]
    return tokens, np.stack(seen[-HEADS:]), own_shares(scores)


def show_heads_after(tokens, looks, shares, most=12):
    """Draw what each head looks at from the last token of a text, and the tokens likely to follow.

    Of a long text, only the looks at the last tokens are drawn: `most` of them.
    """
    title = f"weights, from “{tokens[-1]}”"
    if len(tokens) > most:
        title += f", on the last {most} of {len(tokens)} tokens"
        tokens, looks = tokens[-most:], looks[:, -most:]
    cell, high, left = min(35, 250 // len(tokens)), 27, 116
    above = 34 + 6.2 * max(map(len, tokens))  # the names of the columns rise
    drawing = Drawing(COLUMN, round(above) + high * len(looks) + 12)
    drawing.words(4, 12, title, colour=COLOURS["weights"], bold=True, at="start")
    for column, token in enumerate(tokens):
        drawing.slanted(left + cell * (column + 0.5), above - 10, token)
    heads = [
        f"head {head} of layer {layer}"
        for layer in range(text_model.n_layers)
        for head in range(text_model.n_heads)
    ]
    for row, weights in enumerate(looks):
        y = above + high * row + 8 * (row // text_model.n_heads)
        drawing.words(left - 10, y + 12, heads[row], at="end", size=12)
        for column, weight in enumerate(weights):
            shade = tint(COLOURS["weights"], min(weight, 1))
            x = left + cell * column
            drawing.box(x, y, cell - 2, high - 2, shade, edge=PALE)
            if cell > 30 and weight >= 0.095:  # the shade says enough of the others
                says, ink = f"{weight:.0%}", ink_on(shade)
                size = 12.5 if len(says) < 4 else 11
                drawing.words(x + cell / 2 - 1, y + 12, says, colour=ink, size=size)
    likely = [number for number in np.argsort(-shares)[:6] if shares[number] >= 0.005]  # not 0%
    names, at = [text_model.shown(number) for number in likely], left + cell * len(tokens) + 16
    beside = at + 8 * max(map(len, names))
    drawing.words(at, above - 12, "what comes next", bold=True, at="start")
    for row, (name, share) in enumerate(zip(names, shares[likely], strict=True)):
        y, wide = above + high * row, max(COLUMN - 40 - beside, 20) * share
        drawing.words(beside - 6, y + 13, name, at="end", size=12, code=True)
        drawing.box(beside, y + 4, 1 + wide, 18, TEAL)
        drawing.words(beside + wide + 6, y + 13, f"{share:.0%}", at="start", size=12)
    told = ", ".join(
        f"{name} {share:.0%}" for name, share in zip(names, shares[likely], strict=True)
    )
    drawn = in_words(looks, heads, tokens)
    show_drawing(drawing, f"The {title}: {drawn}. Next: {told}.")
