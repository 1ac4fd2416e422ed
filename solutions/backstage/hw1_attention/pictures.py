def in_words(weights, queries, keys):
    """Say in words where each query looks most."""
    rows = zip(queries, weights, strict=True)
    return "; ".join(
        f"{word} looks most at {keys[row.argmax()]} ({row.max():.0%})" for word, row in rows
    )


def show_weights(weights, queries, keys):
    """Draw attention weights: one row for each query, one column for each key."""
    cell = 62
    drawing = Drawing(150 + cell * len(keys), 88 + cell * len(queries))
    drawing.words(130, 18, "is looked at (key)", colour=COLOURS["key"], bold=True, at="start")
    drawing.words(14, 44, "looks (query)", colour=COLOURS["query"], bold=True, at="start")
    for column, word in enumerate(keys):
        drawing.words(130 + cell * (column + 0.5), 52, word)
    for row, word in enumerate(queries):
        drawing.words(116, 70 + cell * (row + 0.5), word, at="end")
    drawing.grid(130, 70, weights, COLOURS["weights"], cell=cell, largest=1)
    told = in_words(weights, queries, keys)
    show_drawing(drawing, f"Attention weights, a row for each query. {told}.")


def show_lookup(query, keys, values, weights, context):
    """Draw a look-up: one query, a line to each key as wide as its weight, and what it takes home."""
    cell, high = 30, 56
    drawing = Drawing(700, 66 + high * len(keys))
    middle = 48 + high * len(keys) / 2
    lefts = {"query": 14, "key": 230, "value": 400, "context": 545}
    says = {
        "query": "looks for",
        "key": "is found by",
        "value": "hands over",
        "context": "takes home",
    }
    for name, left in lefts.items():
        words = f"{name}: {says[name]}"
        drawing.words(left, 16, words, colour=COLOURS[name], bold=True, at="start", size=12)
    for row, weight in enumerate(weights):
        y = 48 + high * (row + 0.5)
        width, opacity = 1 + 16 * weight, 0.25 + 0.75 * weight
        from_query = 14 + cell * len(query), 224
        from_value = 406 + cell * values.shape[1], lefts["context"] - 8
        for start, end, at_left in ((*from_query, True), (*from_value, False)):
            ends = ((start, middle), (end, y)) if at_left else ((start, y), (end, middle))
            drawing.line(*ends, colour=COLOURS["weights"], width=width, opacity=opacity)
        beside = y + (16 if y > middle else -16)
        drawing.words(200, beside, f"{weight:.0%}", colour=COLOURS["weights"], bold=True)
        for matrix, name in ((keys, "key"), (values, "value")):
            drawing.grid(lefts[name], y - cell / 2, matrix[row : row + 1], COLOURS[name], cell=cell)
    for vector, name in ((query, "query"), (context, "context")):
        drawing.grid(lefts[name], middle - cell / 2, [vector], COLOURS[name], cell=cell)
    shares = ", ".join(f"{weight:.0%}" for weight in weights)
    told = f"it gives the keys {shares}, and takes home {np.round(context, 2).tolist()}"
    show_drawing(drawing, f"A look-up: a query meets {len(keys)} keys; {told}.")


def show_bars(charts, labels, xlabel, ylabel, top=None):
    """Draw a bar chart for each title and its heights in `charts`, all to the same scale."""
    size = (min(max(2.4, 0.62 * len(labels)) * len(charts) + 0.6, 7), 2.4)
    panels = plt.subplots(
        1, len(charts), figsize=size, sharey=True, layout="constrained", squeeze=False
    )[1][0]
    for axes, (title, heights) in zip(panels, charts.items(), strict=True):
        bars = axes.bar(labels, heights, color=TEAL)
        axes.bar_label(bars, [short(height) for height in heights], size=10)
        axes.set_xlabel(xlabel)
        axes.set_title(title, size=10)
        axes.margins(y=0.15)
    panels[0].set_ylabel(ylabel)
    if top:
        panels[0].set_ylim(0, top)
    told = "; ".join(
        f"{title}: {np.round(heights, 2).tolist()}" for title, heights in charts.items()
    )
    show(f"Bar charts. {told}.")


def show_mixing(values, context, words):
    """Draw two-dimensional values as the corners of a shape, and each word's way to its context."""
    axes = plt.subplots(figsize=(5, 4), layout="constrained")[1]
    axes.fill(*values.T, color=COLOURS["value"], alpha=0.1)
    axes.scatter(*values.T, s=70, color=COLOURS["value"], label="value")
    axes.scatter(*context.T, s=70, color=COLOURS["context"], marker="D", label="context")
    for word, value, mixture in zip(words, values, context, strict=True):
        arrow = {"arrowstyle": "->", "color": "grey", "shrinkA": 6, "shrinkB": 6}
        axes.annotate("", xy=mixture, xytext=value, arrowprops=arrow)
        axes.annotate(word, value, xytext=(7, 7), textcoords="offset points", weight="bold")
    axes.set(xlabel="creature", ylabel="sound", title="From each word's value to its context")
    axes.set(xlim=(-0.3, 2.6), ylim=(-0.3, 2.4))
    axes.legend()
    ways = zip(words, values, context, strict=True)
    told = "; ".join(
        f"{word} from {value.round(2)} to {mixture.round(2)}" for word, value, mixture in ways
    )
    show(f"A triangle of values, with an arrow from each word's value to its context: {told}.")


def show_steps(steps, token, own=None):
    """Draw the steps of one token: what it meets on the left, what it takes home on the right.

    Steps that are missing are drawn as question marks; then `own` are the token's features.
    """
    cell, high, n = 46, 52, len(steps["keys"])
    left, right, wide = 96, 470, cell * len(steps["query"])
    below, d_v = 92 + high * n, len(steps["values"][0])
    drawing = Drawing(right + cell * d_v + 100, below + 3 * high + 4)
    own = steps["output"] - steps["context"] if own is None else own

    def unknown(x, y, role, width):
        drawing.box(x, y, width, cell - 2, PAPER, edge=COLOURS[role])
        drawing.words(x + width / 2, y + 22, "?", colour=COLOURS[role], bold=True, size=16)

    def row(x, y, name, numbers, role, at="start"):
        beside = (x - 10, "end") if at == "start" else (x + cell * d_v + 8, "start")
        drawing.words(beside[0], y + 22, name, colour=COLOURS[role], bold=True, at=beside[1])
        if numbers is None:
            unknown(x, y, role, cell * d_v - 2)
        else:
            drawing.grid(x, y, [numbers], COLOURS[role], cell=cell, largest=4 * np.max(numbers))

    row(left, 20, "query", steps["query"], "query")
    for i, (key, value) in enumerate(zip(steps["keys"], steps["values"], strict=True)):
        y = 82 + high * i
        row(left, y, f"key {i}", key, "key")
        row(right, y, f"value {i}", value, "value", at="end")
        for x, name in ((left + wide + 22, "scores"), (left + wide + 104, "weights")):
            if not i:
                drawing.words(x + 31, y - 16, name, colour=COLOURS["weights"], bold=True)
            if name not in steps:
                unknown(x, y, "weights", 62)
                continue
            share = 0.12 if name == "scores" else steps["weights"][i]
            shade = tint(COLOURS["weights"], share)
            drawing.box(x, y, 62, cell - 2, shade, edge=PALE)
            ink = ink_on(shade)
            drawing.words(x + 31, y + 22, f"{steps[name][i]:.5g}", colour=ink, size=16)
        weight = steps["weights"][i] if "weights" in steps else 0
        drawing.line(
            (left + wide + 172, y + 22),
            (right - 8, y + 22),
            colour=COLOURS["weights"],
            width=1 + 9 * weight,
            opacity=0.25 + 0.75 * weight,
        )
    row(right, below, "context", steps.get("context"), "context", at="end")
    row(right, below + high, f"+ token {token}", own, "residual", at="end")
    row(right, below + 2 * high, "= output", steps.get("output"), "residual", at="end")
    told = "; ".join(f"{name} {np.round(each, 2).tolist()}" for name, each in steps.items())
    told += "" if "output" in steps else "; weights, context and output are question marks"
    show_drawing(drawing, f"Token {token} step by step: {told}.")


def show_first_steps(X, W_Q, W_K, W_V, token):
    """Draw the steps of one token up to its scores; the others are left to be guessed."""
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / len(query) ** 0.5
    steps = {"query": query, "keys": keys, "values": values, "scores": scores}
    show_steps(steps, token, own=X[token])


def show_written(rows, matrices):
    """Draw matrices by title, each with its role, the names of its columns, and its numbers."""
    cell, left, gap, above = 34, 84, 56, 122
    wide = [max(cell * len(columns), 150) for _, columns, _ in matrices.values()]
    drawing = Drawing(left + sum(wide) + gap * len(wide), above + cell * len(rows) + 4)
    x, told = left, []
    for width, (title, (role, columns, matrix)) in zip(wide, matrices.items(), strict=True):
        drawing.words(x, 14, title, colour=COLOURS[role], bold=True, at="start", size=13)
        for column, name in enumerate(columns):
            drawing.slanted(x + cell * (column + 0.5), above - 8, name, size=12)
        for row, name in enumerate(rows):
            if x == left:
                drawing.words(x - 8, above + cell * (row + 0.5), name, at="end", size=13)
        drawing.grid(x, above, matrix, COLOURS[role], cell=cell, largest=3)
        said = (
            f"{name} " + ", ".join(f"{columns[at]} {short(row[at])}" for at in np.flatnonzero(row))
            for name, row in zip(rows, matrix, strict=True)
            if row.any()
        )
        told.append(f"{title}: {'; '.join(said)}")
        x += width + gap
    show_drawing(drawing, f"Matrices, a row for each feature. {'. '.join(told)}.")


def show_looks(words, weights, looking):
    """Draw a sentence twice, and a line from the word that looks to each word that it looks at."""
    shares, columns = weights[looking], range(len(words))
    width = min(1.25 * len(words), 9.5)
    axes = plt.subplots(figsize=(width, 2.6), layout="constrained")[1]
    size = 15 * min(1, 9.5 / (1.25 * len(words)) + 0.1)
    for column in columns:
        share, marked = shares[column], column == looking
        draw_look(axes, [looking, column], [0.86, 0.2], share)
        axes.text(
            column,
            1,
            words[column],
            ha="center",
            va="center",
            size=size,
            alpha=1 if marked else 0.35,
            color=COLOURS["query"] if marked else INK,
            weight="bold" if marked else "normal",
        )
        weight = "bold" if share == shares.max() else "normal"
        axes.text(column, 0.06, words[column], ha="center", va="center", size=size, weight=weight)
        axes.text(column, -0.12, f"{share:.0%}", ha="center", va="center", size=11, weight=weight)
    axes.text(-0.75, 1, "looks", ha="right", va="center", style="italic", color="0.4")
    axes.text(-0.75, 0.06, "is looked at", ha="right", va="center", style="italic", color="0.4")
    axes.set(xlim=(-1.9, len(words) - 0.4), ylim=(-0.22, 1.15))
    axes.axis("off")
    told = ", ".join(f"{word} {share:.0%}" for word, share in zip(words, shares, strict=True))
    show(f"Lines from the word {words[looking]} to all words, thicker for more attention: {told}.")


def show_stacks(stacks, after):
    """Draw tokens as rows and features as columns, after some layers, a line of panels for each stack."""
    panels = plt.subplots(len(stacks), len(after), figsize=(7.2, 3.9), layout="constrained")[1]
    for line, (name, layers) in zip(panels, stacks.items(), strict=True):
        for axes, number in zip(line, after, strict=True):
            largest = abs(layers[number]).max()
            axes.imshow(layers[number], cmap=SIGNED_MAP, vmin=-largest, vmax=largest, aspect="auto")
            axes.set_xticks([])
            axes.set_yticks([])
            if name == next(iter(stacks)):
                axes.set_title(f"after {number}" if number else "before", size=10)
            axes.set_xlabel(f"alike: {likeness_of(layers[number]):.2f}", size=10)
        line[0].set_ylabel(name, size=10, weight="bold")
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
    figure, panels = plt.subplots(1, 3, figsize=(7.2, 3.2), layout="constrained")
    looks = ("s--", GREY), ("o-", TEAL), ("^:", INK)
    names = {"variance": "score", "largest weight": "weight", "slope": "p (1 − p)"}
    for axes, (quantity, ylabel) in zip(panels, names.items(), strict=True):
        for (way, quantities), (style, colour) in zip(found.items(), looks, strict=True):
            axes.plot(sizes, quantities[quantity], style, color=colour, label=way)
        axes.set_xscale("log", base=4)
        axes.set_xticks(sizes[1::2], sizes[1::2])
        axes.set(title=quantity, xlabel="$d_k$", ylabel=ylabel)
    panels[0].set(yscale="log", ylabel="variance of the scores")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    for axes, level, said in (
        (panels[1], 0.1, "ten keys alike"),
        (panels[2], 0.09, "ten keys\nalike"),
    ):
        axes.axhline(level, color="grey", linestyle="-.", linewidth=1)
        axes.text(1, level * 0.88, said, color="0.35", va="top")
    panels[1].set_ylim(0, 1.05)
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
        "Its *columns* sum to 1, and its rows don't: each key divided itself among the queries.": (
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
