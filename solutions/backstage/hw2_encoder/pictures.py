LOOKS = "A row: who looks. A column: who is looked at."


def show_weights(
    panels, words, says="looks at", reading=LOOKS, colour=COLOURS["weights"], framed=()
):
    """Show (seq, seq) matrices by title, in one scale: rows are words, columns what they look at.

    `reading` says so below them; rows that are `framed` are those to look at; what is nan is hatched.
    """
    panels = {title: matrix.detach() for title, matrix in panels.items()}
    words, n = [str(word) for word in words], len(words)
    across = min(len(panels), 2)  # or the numbers would be too small on a phone
    left, above = 14 + 8 * max(map(len, words)), 34 + 6 * max(map(len, words))
    short_names = max(map(len, words)) <= 2  # which need not be slanted
    cell = min(44, (COLUMN - left - 22 * across) // (across * n))
    width, height = n * cell + 22, above + n * cell + 10
    largest = 1  # of weights, so that each has the same shade in all pictures
    if colour != COLOURS["weights"]:
        largest = max(matrix.max().item() for matrix in panels.values())
    below = math.ceil(len(panels) / across) * height
    drawing = Drawing(max(left + across * width, 440), below + 24)
    drawing.words(4, below + 10, reading, at="start", size=12, colour=GREY)
    for at, (title, matrix) in enumerate(panels.items()):
        x, y = left + at % across * width, at // across * height
        drawing.words(x, y + 12, title, bold=True, at="start")
        drawing.grid(
            x, y + above, matrix.tolist(), colour,
            cell=cell, largest=largest, numbers=cell >= 22, hidden=matrix.isnan().tolist(),
        )  # fmt: skip
        for row in framed:
            frame = (x - 3, y + above + row * cell - 3, n * cell + 4, cell + 4)
            if not matrix[row].isnan().all():
                drawing.box(*frame, "none", edge=INK)
        for place, word in enumerate(words):
            middle = place * cell + cell / 2
            if short_names:
                drawing.words(x + middle, y + above - 10, word, size=13)
            else:
                drawing.slanted(x + middle - 2, y + above - 5, word)
            if at % across == 0:
                drawing.words(x - 7, y + above + middle, word, at="end", size=13)
    told = "; ".join(
        f"{title}: "
        + ", ".join(
            f"{w} {says} {words[row.nan_to_num(-1).argmax()]}"
            for w, row in zip(words, matrix, strict=True)
            if not row.isnan().all()
        )
        for title, matrix in panels.items()
    )
    show_drawing(
        drawing, f"Squares, bolder where there is more. {reading} Most of each row: {told}."
    )


def show_cells(panels):
    """Show matrices of numbers `10 * token + column`, one shade of teal per token."""
    cell, gap, x = 32, 18, 50
    widths = [max(cells.shape[1] * cell, 128) for cells in panels.values()]
    rows = max(len(cells) for cells in panels.values())
    drawing = Drawing(x + sum(widths) + gap * (len(widths) - 1), 62 + rows * cell)
    for at, ((title, cells), width) in enumerate(zip(panels.items(), widths, strict=True)):
        for line, said in enumerate(title.split("\n")):
            drawing.words(x, 12 + 19 * line, said, bold=not line, at="start", size=12)
        for (row, column), number in np.ndenumerate(cells):
            one_cell(drawing, x + column * cell, 50 + row * cell, number, cell)
        if at == 0:
            for row in range(len(cells)):
                drawing.words(x - 8, 50 + row * cell + 14, f"row {row}", at="end", size=12)
        x += width + gap
    told = "; ".join(
        f"{' '.join(title.split())}: {cells.tolist()}" for title, cells in panels.items()
    )
    show_drawing(drawing, f"Matrices of numbers, one shade per token. {told}.")


def show_first_page(X, pages, guess):
    """Show X (seq, d_model), what head 0 should get of it, and, once guessed, the first of the pages."""
    d_head = pages.shape[-1]
    own = "the columns " + ", ".join(map(str, range(d_head)))
    cells = {
        f"X: {len(X)} tokens, {X.shape[1]} columns": X,
        f"head 0 should get\n{own}": X[:, :d_head],
    }
    tokens = (pages[0] // 10).unique().tolist()
    compare("On the first page stand numbers of the tokens", tokens, guess)
    if guess is not None:
        cells[f"X.view{tuple(pages.shape)}[0]\nthe first page"] = pages[0]
    show_cells(cells)


def one_cell(drawing, x, y, number, cell=42):
    """Draw a cell of its token's shade with its number in it."""
    token = int(number) // 10 % 10
    shade = tint(TEAL, (0.06, 0.28, 0.62, 1)[token % 4])
    drawing.box(x, y, cell - 4, cell - 4, shade, edge=TEAL)
    middle = (x + cell / 2 - 2, y + cell / 2 - 2)
    drawing.words(*middle, f"{int(number):02d}", colour=ink_on(shade), size=0.36 * cell)


def show_journey(X, heads):
    """Let each number of X (seq, d_model) travel to its place in heads (n_heads, seq, d_head)."""
    (n_heads, seq, d_head), cell = heads.shape, 42
    starts, cuts, ends = {}, {}, {}
    for (row, column), number in np.ndenumerate(X.numpy()):
        starts[number] = (170 + column * cell, 60 + row * cell)
        cuts[number] = (starts[number][0] + 34 * (column // d_head) - 17, starts[number][1])
    for (head, row, column), number in np.ndenumerate(heads.numpy()):
        ends[number] = (70 + head * (d_head * cell + 110) + column * cell, 60 + row * cell)

    def frame(title, places, heads_named=False):
        drawing = Drawing(COLUMN, 250)
        drawing.words(4, 16, title, bold=True, at="start")
        if heads_named:
            for head in range(n_heads):
                at = 70 + head * (d_head * cell + 110) + d_head * cell / 2
                drawing.words(at, 44, f"head {head}", size=13)
        for number, (x, y) in places.items():
            one_cell(drawing, x, y, number)
        return drawing

    def between(first, second, part):
        return {
            n: tuple(a + part * (b - a) for a, b in zip(first[n], second[n], strict=True))
            for n in second
        }

    smooth = [0.15, 0.5, 0.85]
    size, d_model = tuple(X.shape), X.shape[1]
    frames = [frame(f"X is {size}: each token keeps {d_model} numbers in a row", starts)] * 3
    frames += [frame("each row is cut …", between(starts, cuts, part)) for part in smooth]
    frames += [frame(f"each row is cut: ({seq}, {n_heads}, {d_head})", cuts)] * 3
    frames += [frame("… and the heads part", between(cuts, ends, part), True) for part in smooth]
    frames += [frame(f"your heads: {tuple(heads.shape)}", ends, True)] * 4
    told = ", ".join(f"head {h} holds {head.tolist()}" for h, head in enumerate(heads))
    show_frames(frames, f"Numbers travel from the rows of X to their heads: {told}.", seconds=0.45)


def show_shadow(scores, hidden, weights):
    """Show scores (n_q, n_k) where a mask hides them, and the weights that come out."""
    purple = COLOURS["weights"]
    panels = {
        "in the mask's shadow": (scores, hidden, GREY),
        "your weights": (weights.detach(), None, purple),
    }
    cell, left, apart = 41, 74, 50
    drawing = Drawing(left + 2 * scores.shape[1] * cell + apart, 34 + cell * len(scores))
    for at, (title, (matrix, shadow, colour)) in enumerate(panels.items()):
        x = left + at * (scores.shape[1] * cell + apart)
        drawing.words(x, 12, title, bold=True, at="start")
        shadow = None if shadow is None else shadow.tolist()
        largest = 1 if colour == purple else None
        drawing.grid(x, 30, matrix.tolist(), colour, cell=cell, largest=largest, hidden=shadow)
    for row in range(len(scores)):
        drawing.words(left - 8, 30 + row * cell + 20, f"query {row}", at="end", size=13)
    told = [f"query {q} key {k}" for q, k in hidden.nonzero().tolist()]
    came = [[round(n, 2) for n in row] for row in weights.tolist()]
    show_drawing(
        drawing, f"Squares, a row for each query; hatched: {', '.join(told)}. Weights: {came}."
    )


def show_lookup(table, tokens, found):
    """Draw a table with a row for each token, and the rows that tokens look up."""
    table, found, cell = table.detach(), found.detach(), 40
    drawing, right = Drawing(COLUMN, 40 + cell * len(table)), 110 + (table.shape[1] + 4) * cell
    for x, title, rows, names in (
        (80, "embedding.weight", table, [f"token {n}" for n in range(len(table))]),
        (right, "embedding(tokens)", found, tokens),
    ):
        drawing.words(x, 14, title, bold=True, at="start", code=True)
        drawing.grid(x, 34, rows.tolist(), TEAL, cell=cell)
        for row, name in enumerate(names):
            drawing.words(x - 10, 34 + row * cell + 19, name, at="end", size=13)
    for row, token in enumerate(tokens):
        start = (80 + table.shape[1] * cell + 4, 53 + cell * token)
        drawing.line(start, (right - 30, 53 + cell * row), colour=TEAL, arrow=True)
    show_drawing(drawing, f"A table with a row for each token; tokens {tokens} look up their rows.")


def show_positions(table):
    """Draw the table of positions."""
    figure, ax = plt.subplots(figsize=(5.6, 3), layout="constrained")
    picture = ax.imshow(table, cmap=SIGNED_MAP, aspect="auto", vmin=-1, vmax=1)
    figure.colorbar(picture, ax=ax, label="value")
    ax.set(title=f"positional_encoding{tuple(table.shape)}", xlabel="column", ylabel="position")
    show("A table of waves: fast in the first columns, slower and slower towards the last.")


def show_clocks(table):
    """Turn the hands of clocks, one for each pair of columns: (sine, cosine) is where a hand points."""
    pairs, frames = table.shape[1] // 2, []
    across = min(pairs, 4)
    for place, row in enumerate(table.tolist()):
        drawing = Drawing(20 + 130 * across, 56 + 152 * math.ceil(pairs / across))
        drawing.words(4, 16, f"position {place}", bold=True, at="start", size=15)
        for pair in range(pairs):
            x, y = 70 + 130 * (pair % across), 100 + 152 * (pair // across)
            drawing.box(x - 54, y - 54, 108, 108, PAPER, edge=PALE, corner=54)
            for past in range(max(0, place - 4), place):
                sine, cosine = table[past, 2 * pair : 2 * pair + 2].tolist()
                faint = 0.12 + 0.12 * (past - place + 4)
                tip = (x + 48 * sine, y - 48 * cosine)
                drawing.line((x, y), tip, colour=TEAL, opacity=faint, width=2)
            sine, cosine = row[2 * pair : 2 * pair + 2]
            tip = (x + 50 * sine, y - 50 * cosine)
            drawing.line((x, y), tip, colour=TEAL, width=4, arrow=True)
            drawing.words(x, y + 70, f"columns {2 * pair}, {2 * pair + 1}", size=13)
        frames.append(drawing)
    show_frames(
        frames,
        f"{pairs} clocks, one for each pair of columns. From position 0 to {len(table) - 1} the first hand "
        "runs around, and each further one is slower.",
        seconds=0.8,
    )


def show_hands(pairs):
    """Draw a query and a key as hands of a clock, for each (place of the query, place of the key)."""
    drawing, told = Drawing(20 + 174 * len(pairs), 224), []
    for at, ((first, second), hands) in enumerate(pairs.items()):
        x, y = 94 + 174 * at, 94
        drawing.box(x - 78, y - 78, 156, 156, PAPER, edge=PALE, corner=78)
        for role, hand in zip(("query", "key"), hands, strict=True):
            across, up = hand.tolist()
            tip = (x + 70 * across, y - 70 * up)
            drawing.line((x, y), tip, colour=COLOURS[role], width=4, arrow=True)
        drawing.words(x - 44, 190, f"query at {first}", colour=COLOURS["query"], size=12)
        drawing.words(x + 44, 190, f"key at {second}", colour=COLOURS["key"], size=12)
        product = f"product {hands[0] @ hands[1]:.3f}"
        drawing.words(x, 211, product, bold=True)
        told.append(f"query at {first}, key at {second}: {product}")
    show_drawing(drawing, f"Two hands of a clock, turned by their places. {'; '.join(told)}.")


def show_likeness(likeness):
    """Draw how similar each two positions are."""
    figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
    picture = ax.imshow(likeness, cmap=NEUTRAL_MAP)
    figure.colorbar(picture, ax=ax, label="product of the two rows")
    ax.set(title="how similar two positions are", xlabel="position", ylabel="position")
    show("A square of products of rows: each diagonal has one colour, and the main one is boldest.")


def show_river(lengths):
    """Draw the residual as a river, as wide as its vectors are long, and what flows into it."""
    bed = ["x", "sum 1", "after norm1", "sum 2", "after norm2"]
    missing = [name for name in [*bed, "attention adds", "network adds"] if name not in lengths]
    if missing:
        print(f"○ Your block doesn't use its {', '.join(missing)}: the river can't be measured.")
        return
    drawing, middle, scale = Drawing(COLUMN, 306), 126, 120 / max(lengths.values())
    ends = (0, 74), (152, 192), (242, 302), (376, 408), (458, COLUMN)
    flow = COLOURS["residual"]

    def width(x):
        """Return how wide the river is: smooth from one length to the next."""
        for (_, x0), (x1, _), before, after in zip(ends, ends[1:], bed, bed[1:], strict=False):
            if x < x1:
                part = min(max((x - x0) / (x1 - x0), 0), 1)
                part = (1 - math.cos(math.pi * part)) / 2
                return scale * (lengths[before] + part * (lengths[after] - lengths[before]))
        return scale * lengths[bed[-1]]

    xs = range(0, COLUMN + 1, 5)
    upper, lower = (
        [(x, middle - width(x) / 2) for x in xs],
        [(x, middle + width(x) / 2) for x in xs],
    )
    drawing.area(*upper, *reversed(lower), colour=tint(flow, 0.6))
    for x, name, says, colour in (
        (74, "attention adds", "attention", COLOURS["context"]),
        (276, "network adds", "feed-forward", TEAL),
    ):
        wide, joins = max(lengths[name] * scale, 1.5), x + 86
        bank = middle + width(joins) / 2
        left, right = [], []  # the stream's two sides, from its source to where it joins
        for step in range(21):
            turn = step / 20 * math.pi / 2
            for side, way in ((left, -1), (right, 1)):
                along = 86 * (1 - math.cos(turn)) + way * wide / 2 * math.cos(turn)
                rise = (270 - bank + wide / 2) * math.sin(turn) - way * wide / 2 * math.sin(turn)
                side.append((x + along, 270 - rise))
        drawing.area(*left, *reversed(right), colour=colour, opacity=0.8)
        for mixed in range(3, 55, 3):  # it runs on along the bank, and fades
            edge = [(at, middle + width(at) / 2) for at in range(joins, joins + mixed + 1, 3)]
            inside = [(at, y - wide) for at, y in reversed(edge)]
            drawing.area(*edge, *inside, colour=colour, opacity=0.086)
        drawing.words(x, 288, f"{says} adds {lengths[name]:.1f}", colour=colour, bold=True)
    for share in (-0.28, 0, 0.28):
        drawing.line(*[(x, middle + share * width(x)) for x in xs], colour=PAPER, opacity=0.5)
    for x, name in ((197, "norm1"), (418, "norm2")):
        drawing.line((x + 10, 58), (x + 10, 194), colour=INK, width=2, dashed=True)
        drawing.words(x + 10, 206, name, size=13, code=True)
    for (x0, x1), name, says in zip(
        ends, bed, ("x", "sum", "normed", "sum", "result"), strict=True
    ):
        drawing.words((x0 + x1) / 2, 20, says, bold=True)
        drawing.words((x0 + x1) / 2, 41, f"{lengths[name]:.1f}", size=13)
    told = ", ".join(f"{name} {length:.1f}" for name, length in lengths.items())
    show_drawing(drawing, f"The residual as a river, as wide as its vectors are long: {told}.")


def show_race(losses):
    """Draw a curve of losses for each runner."""
    ax = plt.subplots(figsize=(5.6, 2.9), layout="constrained")[1]
    looks = ((TEAL, "-"), (GREY, "--"), (INK, ":"))
    for number, (name, values) in enumerate(losses.items()):
        colour, style = looks[number % len(looks)]
        ax.plot(values, style, color=colour, linewidth=2, label=name)
    ax.legend(loc="lower left", handlelength=2.6)
    ax.set(xlabel="step", ylabel="loss", title="who learns faster?", ylim=(0, None))
    ends = ", ".join(f"{name} {values[-1]:.2f}" for name, values in losses.items())
    show(f"Loss over steps, a curve for each kind of block. Last losses: {ends}.")


def show_sums(x, sums):
    """Draw what becomes of x + sublayer(x), by how many features the sublayer returned: a sum or an error."""
    features = x.shape[-1]
    drawing, told, wide = Drawing(COLUMN, 24 + 82 * len(sums)), [], 230 / features
    drawing.words(14, 12, "one token: x, and what is added to it", at="start", bold=True)
    for row, (width, result) in enumerate(sums.items()):
        y, passes = 32 + 82 * row, isinstance(result, torch.Tensor)
        drawing.box(110, y, features * wide, 20, COLOURS["residual"], opacity=0.6)
        drawing.words(100, y + 11, f"{features}", at="end", size=13)
        if passes and width < features:  # it is stretched
            drawing.box(110, y + 26, features * wide, 20, TEAL, opacity=0.15, edge=TEAL)
        drawing.box(110, y + 26, max(width * wide, 3), 20, TEAL)
        drawing.words(100, y + 37, f"+ {width}", at="end", size=13)
        added = (result - x)[0, 0, 0] if passes else 0
        says = (
            ("no error", f"each feature gets {added:+.2f}")
            if passes
            else ("an error", "the sizes differ")
        )
        for line, text in enumerate(says):
            at = (356, y + 11 + 26 * line)
            drawing.words(*at, text, at="start", bold=not line, size=13 if line else 14)
        told.append(f"{features} + {width}: {', '.join(says)}")
    show_drawing(drawing, f"What a residual adds to a token's features. {'; '.join(told)}.")


def show_shares(models):
    """Draw where the parameters of models are; models: {title: {part: count}}."""
    looks = {"table of words": GREY, "attention": tint(TEAL, 0.4), "feed-forward": TEAL}
    drawing = Drawing(COLUMN, 40 + 68 * len(models))
    x = 4
    for part, colour in looks.items():
        drawing.box(x, 8, 18, 18, colour)
        drawing.words(x + 26, 18, part, at="start", size=13)
        x += 150
    told = []
    for at, (title, counts) in enumerate(models.items()):
        y, x, total = 48 + 68 * at, 4, sum(counts.values())
        drawing.words(4, y, f"{title}: {in_millions(total)} numbers", at="start", bold=True)
        for part, colour in looks.items():
            share = counts[part] / total
            drawing.box(x, y + 14, 532 * share - 2, 30, colour, corner=2)
            ink = INK if part == "attention" else PAPER
            drawing.words(x + 266 * share, y + 29, f"{share:.0%}", colour=ink, bold=True)
            x += 532 * share
        told.append(f"{title}: " + ", ".join(f"{p} {n / total:.0%}" for p, n in counts.items()))
    show_drawing(drawing, f"Bars of where the parameters are. {'; '.join(told)}.")
