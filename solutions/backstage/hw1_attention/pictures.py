import difflib


def in_words(weights, queries, keys):
    """Say in words where each query looks most."""
    rows = zip(queries, weights, strict=True)
    return "; ".join(
        f"{word} looks most at {keys[row.argmax()]} ({row.max():.0%})" for word, row in rows
    )


def grid_of(drawing, x, y, matrix, colour, *, cell, largest=None, numbers=True):
    """Draw a matrix as cells, in which each number is as large as its cell lets it be."""
    matrix = np.atleast_2d(matrix)
    largest = largest or np.abs(matrix).max() or 1
    drawing.grid(x, y, matrix, colour, cell=cell, largest=largest, numbers=False)
    for (row, column), number in np.ndenumerate(matrix if numbers else np.empty((0, 0))):
        written = short(number)
        size = min(0.5 * cell, 1.52 * (cell - 2) / len(written))
        at = x + cell * (column + 0.5) - 1, y + cell * (row + 0.5) - 1
        ink = ink_on(tint(colour, min(abs(number) / largest, 1)))
        drawing.words(*at, written, colour=ink, size=size)


def show_weights(weights, context, words, says):
    """Draw who looks at whom, a row for each word, and beside each row the context that it takes home.

    says: what each number of a context says.
    """
    cell, left, above = 50, 92, 78
    right = left + cell * len(words) + 76
    drawing = Drawing(COLUMN, above + cell * len(words) + 4)
    for x, role, title in (
        (4, "query", "looks"),
        (left, "key", "is looked at"),
        (right, "context", "context: what it takes home"),
    ):
        drawing.words(x, 16, title, colour=COLOURS[role], bold=True, at="start")
    for x, names in ((left, words), (right, says)):
        for column, name in enumerate(names):
            drawing.words(x + cell * (column + 0.5), above - 22, name, size=12)
    for row, word in enumerate(words):
        y = above + cell * (row + 0.5) - 1
        drawing.words(left - 14, y, word, at="end")
        drawing.line((right - 60, y), (right - 20, y), colour=GREY, arrow=True)
    drawing.grid(left, above, weights, COLOURS["weights"], cell=cell, largest=1)
    drawing.grid(right, above, context, COLOURS["context"], cell=cell, largest=2)
    told = zip(words, np.round(context, 2).tolist(), strict=True)
    taken = "; ".join(f"{word} {row}" for word, row in told)
    show_drawing(
        drawing,
        f"Attention weights, a row for each word. {in_words(weights, words, words)}. "
        f"Contexts, in {' and '.join(says)}: {taken}.",
    )


def show_orders(words, forwards, backwards, says):
    """Draw what each word takes home in a sentence and in the same one backwards, one above the other.

    forwards, backwards: a context for each word, in the order in which the words stand there.
    says: what each number of a context says.
    """
    cell, drawing, last = 52, Drawing(COLUMN, 282), len(words) - 1
    middles = [178 + 150 * column for column in range(len(words))]
    for column, word in enumerate(words):
        above, below = middles[column], middles[last - column]
        drawing.line((above, 104), (below, 170), colour=GREY, width=2, arrow=True)
        for middle, name, vector, y, beside, under in (
            (above, word, forwards[column], 46, 14, 34),
            (below, word, backwards[last - column], 178, 268, 244),
        ):
            drawing.words(middle, beside, name, bold=True)
            left = middle - cell * len(vector) / 2 + 1
            drawing.grid(left, y, [vector], COLOURS["context"], cell=cell, largest=2)
            for place, what in enumerate(says):
                drawing.words(left + cell * (place + 0.5) - 1, under, what, size=11, colour=GREY)
    for y, name in ((72, "forwards"), (204, "backwards")):
        drawing.words(4, y, name, at="start")
    told = "; ".join(
        f"{word} {np.round(forwards[column], 2).tolist()} and, backwards, "
        f"{np.round(backwards[last - column], 2).tolist()}"
        for column, word in enumerate(words)
    )
    show_drawing(drawing, f"The contexts of a sentence, and of the same one backwards: {told}.")


def show_lookup(query, keys, values, weights, context):
    """Draw a look-up: one query, a line to each key as wide as its weight, and what it takes home."""
    cell, wide, high = 25, 31, 56  # wide: of the context, whose numbers are long
    drawing = Drawing(COLUMN, 62 + high * len(keys))
    middle = 52 + high * len(keys) / 2
    lefts = {"query": 4, "key": 168, "value": 322, "context": 446}
    says = {
        "query": "looks for",
        "key": "is found by",
        "value": "hands over",
        "context": "takes home",
    }
    for name, left in lefts.items():
        drawing.words(left, 14, name, colour=COLOURS[name], bold=True, at="start")
        drawing.words(left, 32, says[name], colour=COLOURS[name], at="start", size=12)
    for row, weight in enumerate(weights):
        y = 52 + high * (row + 0.5)
        width, opacity = 1 + 16 * weight, 0.25 + 0.75 * weight
        from_query = 10 + cell * len(query), lefts["key"] - 8
        from_value = lefts["value"] + 6 + cell * values.shape[1], lefts["context"] - 8
        for start, end, at_left in ((*from_query, True), (*from_value, False)):
            ends = ((start, middle), (end, y)) if at_left else ((start, y), (end, middle))
            drawing.line(*ends, colour=COLOURS["weights"], width=width, opacity=opacity)
        between = (lefts["key"] + cell * keys.shape[1] + lefts["value"]) / 2
        drawing.words(between, y, f"{weight:.0%}", colour=COLOURS["weights"], bold=True)
        for matrix, name in ((keys, "key"), (values, "value")):
            grid_of(drawing, lefts[name], y - cell / 2, matrix[row], COLOURS[name], cell=cell)
    for vector, name, side in ((query, "query", cell), (context, "context", wide)):
        grid_of(drawing, lefts[name], middle - side / 2, vector, COLOURS[name], cell=side)
    shares = ", ".join(f"{weight:.0%}" for weight in weights)
    told = f"it gives the keys {shares}, and takes home {np.round(context, 2).tolist()}"
    show_drawing(drawing, f"A look-up: a query meets {len(keys)} keys; {told}.")


def show_shares(charts, labels, below):
    """Draw shares as bars, for each title in `charts`, all to one scale; `below` says what has a share."""
    high, step = 120, (COLUMN - 8 + 24) / len(charts)
    ends = high + 66 + 18 * any("\n" in label for label in labels)
    drawing = Drawing(COLUMN, ends + 30)
    for number, (title, shares) in enumerate(charts.items()):
        left, wide = 4 + step * number, (step - 24) / len(labels)
        drawing.words(left, 14, title, at="start", bold=True)
        for column, (label, share) in enumerate(zip(labels, shares, strict=True)):
            middle, top = left + wide * (column + 0.5), 48 + high * (1 - share)
            drawing.box(middle - 0.36 * wide, top, 0.72 * wide, high * share, TEAL, corner=2)
            drawing.words(middle, top - 11, short(share), size=12)
            name, _, mark = label.partition("\n")
            drawing.words(middle, high + 61, name, bold=bool(mark))
            drawing.words(middle, high + 79, mark, colour=TEAL, size=12)
        drawing.line((left, high + 48), (left + step - 24, high + 48), colour=PALE, width=1)
    drawing.words(4, ends + 18, below, at="start", colour=GREY, size=12)
    names = [label.replace("\n▲", ",") for label in labels]
    told = "; ".join(
        f"{title}: "
        + ", ".join(f"{name} {share:.0%}" for name, share in zip(names, shares, strict=True))
        for title, shares in charts.items()
    )
    show_drawing(drawing, f"A bar for the share of each of {below}. {told}.")


def show_mixing(values, context, words):
    """Draw two-dimensional values as the corners of a shape, and each word's way to its context."""
    drawing = Drawing(COLUMN, 400)

    def place(point):
        return 110 + 140 * point[0], 340 - 140 * point[1]

    drawing.area(*map(place, values), colour=COLOURS["value"], opacity=0.1)
    drawing.line((110, 366), (180, 366), colour=GREY, width=1, arrow=True)
    drawing.words(192, 366, "more of a creature", at="start", colour=GREY, size=12)
    drawing.line((62, 340), (62, 270), colour=GREY, width=1, arrow=True)
    drawing.words(62, 252, "more sound", colour=GREY, size=12)
    for value, mixture in zip(values, context, strict=True):
        (x0, y0), (x, y) = place(value), place(mixture)
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        if length > 30:
            left = 1 - 11 / length  # the arrow ends before the diamond
            ends = (x0, y0), (x0 + left * (x - x0), y0 + left * (y - y0))
            drawing.line(*ends, colour=GREY, width=1.5, arrow=True)
    for word, value in zip(words, values, strict=True):
        x, y = place(value)
        drawing.box(x - 8, y - 8, 16, 16, COLOURS["value"], corner=8)
        drawing.words(x + 16, y - 14, word, at="start", bold=True, size=15)
    for x, y in map(place, context):
        corners = (x, y - 9), (x + 9, y), (x, y + 9), (x - 9, y)
        drawing.area(*corners, colour=COLOURS["context"])
    sides = (0, 20), (-1, 0), (1, 0)  # to be told apart even where all are in one place
    for word, mixture, (side, below) in zip(words, context, sides, strict=True):
        x, y = place(mixture)
        wide = 8.3 * len(word)
        middle = x + side * (14 + wide / 2)
        drawing.box(middle - wide / 2, y + below - 7, wide, 14, PAPER, opacity=0.85)
        drawing.words(middle, y + below, word, colour=COLOURS["context"], size=12, bold=True)
    for y, role, says in ((40, "value", "hands over"), (66, "context", "takes home")):
        drawing.words(314, y, role, at="start", colour=COLOURS[role], bold=True)
        drawing.words(376, y, f"what a word {says}", at="start", size=12)
    drawing.box(292, 33, 14, 14, COLOURS["value"], corner=7)
    drawing.area((299, 58), (307, 66), (299, 74), (291, 66), colour=COLOURS["context"])
    ways = zip(words, values, context, strict=True)
    told = "; ".join(
        f"{word} from {value.round(2)} to {mixture.round(2)}" for word, value, mixture in ways
    )
    show_drawing(
        drawing,
        f"A triangle of values, with an arrow from each word's value to its context: {told}.",
    )


def show_steps(X, W_Q, W_K, W_V, token, steps=None):
    """Draw all numbers of one token's way: tokens, matrices, what they make, and what is passed on.

    Without its steps, their places are empty.
    """
    cell, lefts = 30, {"query": 62, "key": 203, "value": 418}
    centres = {role: left + 2 * cell - 1 for role, left in lefts.items()}
    matrices, made, end = 134, 178 + 4 * cell, 266 + 4 * cell  # from the top
    drawing, is_map = Drawing(COLUMN, end + 176), steps is None
    if is_map:
        one, all_of_them, each = np.zeros(4), np.zeros((len(X), 4)), np.zeros(len(X))
        steps = {"query": one, "keys": all_of_them, "values": all_of_them, "scores": each}
        steps |= {"weights": each, "context": one, "output": one}

    def rows(x, y, numbers, role, is_made=True):
        style = {"largest": 3 * np.max(np.abs(numbers)), "numbers": not (is_map and is_made)}
        grid_of(drawing, x, y, numbers, COLOURS[role], cell=cell, **style)

    def name(x, y, says, role, at="start"):
        drawing.words(x, y, says, colour=COLOURS[role], bold=True, at=at)

    def arrow(start, end, **style):
        drawing.line(start, end, arrow=True, **{"colour": GREY, "width": 1} | style)

    name(lefts["key"], 12, "X, the tokens", "residual")
    rows(lefts["key"], 24, X, "residual", is_made=False)
    for number in range(len(X)):
        says = f"token {number}"
        y, marked = 23 + cell * (number + 0.5), number == token
        drawing.words(lefts["key"] - 10, y, says, at="end", bold=marked)
        drawing.words(lefts["query"] - 10, y + made - 24, says, at="end", size=12)
    for role, letter, matrix, found in (
        ("query", "Q", W_Q, steps["query"]),
        ("key", "K", W_K, steps["keys"]),
        ("value", "V", W_V, steps["values"]),
    ):
        arrow((centres["key"], 86), (centres[role], matrices - 26))
        name(lefts[role], matrices - 12, f"times W_{letter}", role)
        rows(lefts[role], matrices, matrix, role, is_made=False)
        arrow((centres[role], matrices + 4 * cell + 2), (centres[role], made - 24))
        name(lefts[role], made - 12, role if role == "query" else f"{role}s", role)
        rows(lefts[role], made + cell * token * (role == "query"), found, role)
    half = 2 * cell
    for y, says, numbers in (
        (end, "scores", steps["scores"]),
        (end + 66, "weights", steps["weights"]),
    ):
        name(lefts["key"] - 10, y + 17, says, "weights", at="end")
        for number, shown in enumerate(numbers):
            share = 0.12 if says == "scores" else shown
            shade, x = tint(COLOURS["weights"], share), lefts["key"] + half * number
            written = f"{shown:.4g}" if says == "scores" else short(shown)
            if is_map:
                shade, written = PAPER, ""
            drawing.box(x, y, half - 2, 34, shade, edge=PALE)
            drawing.words(x + half / 2 - 1, y + 17, written, colour=ink_on(shade), size=14)
    arrow((centres["key"], made + 2 * cell + 4), (centres["key"], end - 6))
    arrow((centres["query"], made + 2 * cell + 4), (lefts["key"] - 62, end + 8))
    arrow((centres["key"], end + 38), (centres["key"], end + 60))
    level = end + 66  # weights and context
    for x, y, says, at in (
        (centres["key"] + 8, end - 16, "products, over √d_k", "start"),
        (centres["key"] + 8, end + 50, "softmax", "start"),
        (centres["value"] - 8, end + 17, "averaged", "end"),
    ):
        drawing.words(x, y, says, at=at, colour=GREY, size=12)
    weighed = (lefts["key"] + 2 * half + 2, level + 17), (lefts["value"] - 70, level + 17)
    arrow(*weighed, colour=COLOURS["weights"], width=3)
    arrow((centres["value"], made + 2 * cell + 4), (centres["value"], level - 4))
    own = X[token] if is_map else steps["output"] - steps["context"]
    passed = {"context": steps["context"], f"+ token {token}": own, "= output": steps["output"]}
    for line, (says, numbers) in enumerate(passed.items()):
        y, role = level + 3 + 36 * line, "residual" if line else "context"
        name(lefts["value"] - 8, y + 14, says, role, at="end")
        rows(lefts["value"], y, numbers, role, is_made=line != 1)
    if is_map:
        show_drawing(
            drawing,
            f"A map with empty places. X goes through W_Q, W_K and W_V: the query of token {token}, all keys, "
            "all values. Products of query and keys, over the root of d_k: scores. Softmax: weights. The "
            f"values, averaged by them: context. Plus token {token}: output.",
        )
        return
    told = "; ".join(f"{name} {np.round(each, 2).tolist()}" for name, each in steps.items())
    show_drawing(drawing, f"Token {token} step by step: {told}.")


def show_written(rows, matrices):
    """Draw matrices by title, each with its role, the names of its columns, and its numbers."""
    cell, left, gap, above = 30, 70, 40, 122
    wide = [max(cell * len(columns), 108) for _, columns, _ in matrices.values()]
    drawing = Drawing(COLUMN, above + cell * len(rows) + 4)
    x, told = left, []
    for width, (title, (role, columns, matrix)) in zip(wide, matrices.items(), strict=True):
        what, _, says = title.partition(": ")
        drawing.words(x, 14, what, colour=COLOURS[role], bold=True, at="start")
        drawing.words(x, 32, says, colour=COLOURS[role], at="start", size=12)
        for column, name in enumerate(columns):
            drawing.slanted(x + cell * (column + 0.5), above - 8, name)
        for row, name in enumerate(rows):
            if x == left:
                drawing.words(x - 8, above + cell * (row + 0.5), name, at="end")
        grid_of(drawing, x, above, matrix, COLOURS[role], cell=cell, largest=3)
        said = (
            f"{name} has "
            + " and ".join(f"{short(row[at])} at “{columns[at]}”" for at in np.flatnonzero(row))
            for name, row in zip(rows, matrix, strict=True)
            if row.any()
        )
        told.append(f"In {what} ({says}), {'; '.join(said)}")
        x += width + gap
    show_drawing(
        drawing,
        f"{len(matrices)} matrices, a row for each feature. {'. '.join(told)}. All others are 0.",
    )


def show_looks(words, weights, looking):
    """Draw a sentence, and an arc from the word that looks to each word that it looks at."""
    shares, gap, inch = weights[looking], 0.7, 100  # lengths in hundredths of an inch
    is_most = (shares == shares.max()) & (shares > shares.min())  # of equals, none is the most
    fonts = ["bold" if most or n == looking else "normal" for n, most in enumerate(is_most)]
    ems = [wide_as(word, font) for word, font in zip(words, fonts, strict=True)]
    size = min(30, 550 / (sum(ems) + gap * (len(words) - 1)))
    ends = np.cumsum([em + gap for em in ems])
    middles = size * (ends - gap - np.array(ems) / 2)
    reach = max(abs(middles - middles[looking]))
    above = 14 + 0.28 * reach  # of the highest arc
    figure = plt.figure(figsize=(5.6, (above + 2.8 * size + 26) / inch))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 560), ylim=(-2.2 * size - 20, above + 0.6 * size))
    axes.axis("off")
    path, curve = plt.matplotlib.path.Path, plt.matplotlib.patches.PathPatch
    for middle, share in sorted(zip(middles, shares, strict=True), key=lambda each: each[1]):
        here = middles[looking]
        high = above * (0.35 + 0.98 * abs(middle - here) / max(reach, 1))
        points = [(here, 0), (here, high), (middle, high), (middle, 0)]
        if middle == here:  # a loop, on the side where less is looked at
            side = size if shares[: looking + 1].sum() > 0.5 else -size
            points[1:3] = (here + 2.2 * side, 0.4 * size), (here + 0.9 * side, 2.2 * size)
        arc = path(points, [path.MOVETO] + 3 * [path.CURVE4])
        style = {"alpha": 0.5 + 0.5 * share, "capstyle": "round"}
        axes.add_patch(
            curve(arc, fill=False, color=COLOURS["weights"], lw=1.2 + 11.4 * share, **style)
        )
    points = 0.72  # of a hundredth of an inch
    for column, (word, middle, share) in enumerate(zip(words, middles, shares, strict=True)):
        most, style = is_most[column], {"ha": "center", "va": "center"}
        colour, font = COLOURS["query"] if column == looking else INK, fonts[column]
        axes.text(middle, -size, word, size=points * size, color=colour, weight=font, **style)
        colour, small = COLOURS["weights"] if most else GREY, max(9, 0.5 * points * size)
        weight = "bold" if most else "normal"
        axes.text(
            middle,
            -2.1 * size - 4,
            f"{share:.0%}",
            size=small,
            color=colour,
            weight=weight,
            **style,
        )
    told = ", ".join(f"{word} {share:.0%}" for word, share in zip(words, shares, strict=True))
    show(f"Lines from the word {words[looking]} to all words, thicker for more attention: {told}.")


def wide_as(word, weight):
    """Return how wide a word is, in ems, in a font of a weight."""
    font = plt.matplotlib.font_manager.FontProperties(weight=weight)
    return plt.matplotlib.textpath.TextPath((0, 0), word, size=1, prop=font).get_extents().x1


def place_of(word, words):
    """Return where a word stands in a sentence, whatever its capitals and marks; else say what is near."""
    plain_words = [plain_word(each) for each in words]
    if plain_word(word) in plain_words:
        return plain_words.index(plain_word(word))
    print(wrapped(f"○ The sentence has no word {word!r}.{near_to(word, plain_words, 0.5)}"))
    return None


def mention_unknown(unknown, known):
    """Say which words of a sentence aren't in the lexicon, and which of its words they may be meant as."""
    if unknown:
        words = ", ".join(unknown)
        print(wrapped(f"Not in the lexicon, so they ask and offer nothing: {words}."))
    for word in unknown:
        if near := near_to(word, known, 0.82):
            print(wrapped(f"{word}?{near}"))


def plain_word(word):
    """Return a word in small letters, without the marks at its ends."""
    return word.casefold().strip(".,;:!? ")


def near_to(word, words, likeness):
    """Return the question whether the most alike of some words is meant; if none is, an empty text."""
    near = difflib.get_close_matches(plain_word(word), words, n=1, cutoff=likeness)
    return f" Did you mean {near[0]!r}?" if near else ""


def show_stacks(stacks, after):
    """Draw tokens as rows and features as columns, after some layers, a line of panels for each stack."""
    panels = plt.subplots(len(stacks), len(after), figsize=(5.6, 3.2), layout="constrained")[1]
    for line, (name, layers) in zip(panels, stacks.items(), strict=True):
        for axes, number in zip(line, after, strict=True):
            largest = abs(layers[number]).max()
            axes.imshow(layers[number], cmap=SIGNED_MAP, vmin=-largest, vmax=largest, aspect="auto")
            axes.set(xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            if name == next(iter(stacks)):
                axes.set_title(f"after {number}" if number else "before", size=9, weight="normal")
            axes.set_xlabel(f"{likeness_of(layers[number]):.2f}", size=10, color=INK, weight="bold")
        line[0].set_ylabel(name, size=10, weight="bold", color=INK)
    told = "; ".join(
        f"{name}: "
        + ", ".join(f"{likeness_of(layers[number]):.2f} after {number}" for number in after)
        for name, layers in stacks.items()
    )
    show(f"Six tokens as rows of colours, layer by layer. How alike they are, {told}.")


def likeness_of(tokens):
    """Return the cosine between two tokens, on average over all pairs."""
    directions = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    return (directions @ directions.T)[np.triu_indices(len(tokens), 1)].mean()


def show_experiment(sizes, found):
    """Draw variance, largest weight and slope over d_k, a curve for each way to scale."""
    panels = plt.subplots(1, 3, figsize=(5.6, 2.9), layout="constrained")[1]
    looks = ("s--", GREY), ("o-", TEAL), ("^:", INK)
    # how far above the ends of the curves (in points) they are named: where no curve is
    named = {"variance": (0, 4, 0), "largest weight": (9, 4, 4), "slope": (-9, 4, 10)}
    for axes, (quantity, above) in zip(panels, named.items(), strict=True):
        for (way, quantities), (style, colour), up in zip(found.items(), looks, above, strict=True):
            axes.plot(sizes, quantities[quantity], style, color=colour, ms=4)
            axes.annotate(
                way,
                (sizes[-1], quantities[quantity][-1]),
                (-7 if up <= 0 else 3, up),
                textcoords="offset points",
                ha="right",
                va="bottom" if up > 0 else "center",
                size=8,
                color=colour,
            )
        axes.set_xscale("log", base=4)
        axes.set_xticks(sizes[1::2], sizes[1::2], size=8)
        axes.tick_params("y", labelsize=8)
        axes.set(title=quantity, xlabel="$d_k$")
    panels[0].set(yscale="log")
    for axes, level in ((panels[1], 0.1), (panels[2], 0.09)):
        axes.axhline(level, color="grey", linestyle="-.", linewidth=1)
    panels[1].text(1, 0.07, "ten alike: no choice", color=GREY, size=8, va="top")
    panels[2].text(1, 0.083, "ten alike:\nno choice", color=GREY, size=8, va="top")
    panels[1].set_ylim(0, 1.15)
    panels[2].set_ylim(0, 0.25)
    last = {
        way: ", ".join(f"{quantity} {values[-1]:.2g}" for quantity, values in quantities.items())
        for way, quantities in found.items()
    }
    told = "; ".join(f"{way}: {numbers}" for way, numbers in last.items())
    show(f"Three quantities over d_k, a curve for each way to scale. At the last d_k: {told}.")


def show_impostors(puzzle, attention):
    """Draw the weights of three functions, one of which is wrong; return its letter and the reason."""
    rng = np.random.default_rng(puzzle)
    mistakes = {
        "Its columns sum to 1, and its rows don't: each key divided itself among the queries.": (
            lambda Q, K: attention(K, Q, Q)[0].T
        ),
        "Its rows sum to less than 1: some attention got lost on the way.": (
            lambda Q, K: 0.8 * attention(Q, K, K)[0]
        ),
        "Both of its rows are the same: only one of the queries was ever asked.": (
            lambda Q, K: attention(Q[[0, 0]], K, K)[0]
        ),
    }
    why, mistake = list(mistakes.items())[puzzle % 3]
    letter = rng.choice(["A", "B", "C"])
    shown = {}
    for name in "ABC":
        Q, K = rng.normal(size=(2, 4)) * 1.5, rng.normal(size=(3, 4))
        shown[name] = mistake(Q, K) if name == letter else attention(Q, K, K)[0]
    show_suspects(shown)
    return letter, why
