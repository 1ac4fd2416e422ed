LOOKS = "A row: who looks. A column: who is looked at."
CHASED = "the cat chased the ___"
ROW = 5.5  # pixels: how high a row of the table of positions is


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
    cell = min(33, (COLUMN - left - 22 * across) // (across * n))
    width, height = n * cell + 22, above + n * cell + 10
    largest = 1  # of weights, so that each has the same shade in all pictures
    if colour != COLOURS["weights"]:
        largest = max(matrix.max().item() for matrix in panels.values())
    below = math.ceil(len(panels) / across) * height
    drawing = Drawing(max(left + across * width, 420), below + 24)
    drawing.words(4, below + 10, reading, at="start", size=12, colour=GREY)
    for at, (title, matrix) in enumerate(panels.items()):
        x, y = left + at % across * width, at // across * height
        drawing.words(x, y + 12, title, bold=True, at="start")
        drawing.grid(
            x, y + above, matrix.tolist(), colour,
            cell=cell, largest=largest, numbers=False, hidden=matrix.isnan().tolist(),
        )  # fmt: skip
        if cell >= 22:
            put_numbers(drawing, x, y + above, matrix, colour, cell, largest)
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
    told = []
    for title, matrix in panels.items():
        most = [row.nan_to_num(-1).argmax().item() for row in matrix]
        rows = [
            f"{words[i]} {says} {words[j]} ({short(matrix[i, j].item())})"
            for i, j in enumerate(most)
            if not matrix[i, j].isnan()
        ]
        told.append(f"{title}: {', '.join(rows)}")
    show_drawing(
        drawing,
        f"Squares, bolder where there is more. {reading} Most of each row: {'; '.join(told)}.",
    )


def put_numbers(drawing, x, y, matrix, colour, cell, largest):
    """Write the numbers of a grid's cells from 0.1 on, so that they stand out; nan has none."""
    for (row, column), number in np.ndenumerate(matrix.numpy()):
        if number >= 0.1:
            at = (x + (column + 0.5) * cell - 1, y + (row + 0.5) * cell - 1)
            ink = ink_on(tint(colour, min(number / largest, 1)))
            drawing.words(*at, short(number), colour=ink, size=max(8, 0.31 * cell))


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
    compare("The first page holds tokens", tokens, guess)
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
        "in the mask's shadow": (scores, hidden, COLOURS["query"]),
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


def show_layers(panels, mask):
    """Draw a mask (True = may attend) and, by name, the weights of three layers, in two rows."""
    rows, columns, cell = len(mask), len(mask[0]), 54
    wide, high = columns * cell + 40, rows * cell + 46
    drawing = Drawing(COLUMN, 2 * high)
    hidden = [[not seen for seen in row] for row in mask]
    pairs = [f"query {q} key {k}" for q, k in np.argwhere(hidden).tolist()]
    told = [f"The mask hides {', '.join(pairs)}"]
    for at, (name, weights) in enumerate({"the mask": None, **panels}.items()):
        x, y = 24 + at % 2 * wide, at // 2 * high
        drawing.words(x, y + 14, name, bold=True, at="start", size=15)
        if weights is None:
            drawing.grid(x, y + 30, mask, PAPER, cell=cell, numbers=False, hidden=hidden)
        else:
            drawing.grid(x, y + 30, weights, COLOURS["weights"], cell=cell, largest=1)
            told.append(f"{name}: " + " | ".join(", ".join(map(short, row)) for row in weights))
    show_drawing(drawing, f"Weights, a row for each query. {'; '.join(told)}.")


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


def put_pixels(drawing, x, y, matrix, colours, *, across, down, least, most):
    """Put a matrix into a drawing as one image, whose pixels are `across` wide and `down` high."""
    image = io.BytesIO()
    plt.imsave(image, matrix.numpy(), cmap=colours, vmin=least, vmax=most, format="png")
    source = base64.b64encode(image.getvalue()).decode()
    rows, columns = matrix.shape
    drawing.parts.append(
        f'<image id="pixels" x="{x}" y="{y}" width="{columns * across}" height="{rows * down}" '
        'preserveAspectRatio="none" style="image-rendering:crisp-edges;image-rendering:pixelated" '
        f'href="data:image/png;base64,{source}"/>'
    )


def show_clocks(table):
    """Let a position walk down its table, and turn the hands of clocks, one for each pair of columns.

    (sine, cosine) is where a hand points. The clocks are those of the first half of the columns, and the
    walk ends halfway down, for the waves can be seen farther than the hands need to run.
    """
    table = table.detach()
    (rows, columns), frames = table.shape, []
    pairs, end = columns // 4, rows // 2 - 1
    for place in range(end + 1):
        drawing = Drawing(COLUMN, 62 + ROW * rows)
        put_table(drawing, 32, 42, table, place, again=place < end)
        drawing.words(250, 14, f"position {place}", bold=True, at="start")
        for pair in range(pairs):
            x, y = 286 + 73 * (pair % 4), 80 + 112 * (pair // 4)
            put_clock(drawing, x, y, table[: place + 1, 2 * pair : 2 * pair + 2].tolist())
            drawing.words(x, y + 49, f"{2 * pair}, {2 * pair + 1}", size=12)
        frames.append(drawing)
    show_frames(
        frames,
        f"Your table, {rows} positions and {columns} columns: waves, fast in the first columns, slower and "
        f"slower towards the last. Beside it {pairs} clocks, one for each pair of the first columns. "
        f"From position 0 to {end} the first hand turns {end / (2 * math.pi):.1f} times, and each further "
        "one is slower.",
        seconds=0.8,
    )


def put_table(drawing, x, y, table, place, again):
    """Draw the table of positions, its row `place` framed, and say which columns have clocks.

    The last frame of a film holds the table, and the others show it `again`, so that the film stays small.
    """
    (rows, columns), across = table.shape, 6
    wide, foot = across * columns, y + ROW * rows + 8
    drawing.words(x, 14, "your table", bold=True, at="start")
    drawing.words(x, y - 9, "0", size=11, at="start")
    drawing.words(x + wide, y - 9, f"column {columns - 1}", size=11, at="end")
    looks = {"across": across, "down": ROW, "least": -1, "most": 1}
    if again:
        drawing.parts.append('<use href="#pixels"/>')
    else:
        put_pixels(drawing, x, y, table, SIGNED_MAP, **looks)
    drawing.box(x - 3, y + ROW * place - 3, wide + 6, ROW + 6, "none", edge=INK)
    drawing.words(x - 8, y + ROW * (place + 0.5), place, bold=True, at="end")
    drawing.line((x, foot - 4), (x + wide / 2 - 2, foot - 4))
    drawing.words(x + wide / 4, foot + 6, "the clocks", size=12)
    for number, (value, share) in enumerate((("−1", 0.0), ("0", 0.5), ("1", 1.0))):
        left = x + wide / 2 + (4, 40, 70)[number]
        colour = plt.matplotlib.colors.to_hex(SIGNED_MAP(share))
        drawing.box(left, foot, 11, 11, colour, edge=GREY, corner=1)
        drawing.words(left + 14, foot + 6, value, size=11, at="start")


def put_clock(drawing, x, y, hands):
    """Draw the last of some hands (sine, cosine) of a clock, and more and more faintly those before."""
    drawing.box(x - 34, y - 34, 68, 68, PAPER, edge=PALE, corner=34)
    *before, (sine, cosine) = hands
    for age, (past_sine, past_cosine) in enumerate(reversed(before[-4:])):
        tip = (x + 31 * past_sine, y - 31 * past_cosine)
        drawing.line((x, y), tip, colour=TEAL, opacity=0.48 - 0.12 * age)
    drawing.line((x, y), (x + 31 * sine, y - 31 * cosine), colour=TEAL, width=3, arrow=True)


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


def show_likeness(likeness, pairs):
    """Draw how similar each two positions are, with two pairs marked, and their products by distance."""
    likeness, drawing = likeness.detach(), Drawing(COLUMN, 300)
    (n, size, x, y), most = (len(likeness), 3.6, 26, 40), likeness.max().item()
    drawing.words(x, 16, "every two rows", bold=True, at="start")
    drawing.words(x + n * size, 16, "bolder: larger", at="end", size=11, colour=GREY)
    looks = {"across": size, "down": size, "least": likeness.min().item(), "most": most}
    put_pixels(drawing, x, y, likeness, NEUTRAL_MAP, **looks)
    for place in (0, n - 1):
        drawing.words(x - 6, y + size * (place + 0.5), place, size=11, at="end", colour=GREY)
    for row, column in pairs:
        middle = (x + size * (column + 0.5), y + size * (row + 0.5))
        drawing.box(middle[0] - 5, middle[1] - 5, 10, 10, PAPER, edge=INK, corner=5)
        drawing.words(middle[0] + 10, middle[1], f"{row}, {column}", at="start", bold=True, size=12)
    rows = {row: likeness[row, row:].tolist() for row, _ in pairs}
    put_distances(drawing, 306, y, (220, n * size), rows, most)
    told = "; ".join(
        f"rows {row} and {column}: {likeness[row, column]:.1f}" for row, column in pairs
    )
    curves = ", ".join(
        f"from row {row} {products[0]:.0f} at 0 and {products[-1]:.0f} at {len(products) - 1}"
        for row, products in rows.items()
    )
    show_drawing(
        drawing,
        "Products of every two rows as a square: along each diagonal one shade, and the main one is "
        f"boldest. {told}. Beside it a curve for each row, by distance: {curves}.",
    )


def put_distances(drawing, x, y, size, rows, most):
    """Draw the products of two rows with those that follow, by how many words they are apart."""
    (wide, high), far = size, max(map(len, rows.values()))
    foot, up = y + high, 0.92 * high / most
    drawing.words(x - 22, 16, "their product, by distance", bold=True, at="start")
    drawing.line((x, y), (x, foot), (x + wide, foot), colour=PALE)
    for product in (0, most / 2, most):
        at = foot - up * product
        drawing.words(x - 6, at, f"{product:.0f}", size=11, at="end", colour=GREY)
    for distance in range(0, far, 10):
        drawing.words(x + wide * distance / far, foot + 12, distance, size=11, colour=GREY)
    drawing.words(x + wide / 2, foot + 30, "words apart", size=12, colour=GREY)
    looks = ({"width": 6, "colour": tint(TEAL, 0.4)}, {"dashed": True})
    for line, ((row, products), look) in enumerate(zip(rows.items(), looks, strict=True)):
        points = [
            (x + wide * distance / far, foot - up * product)
            for distance, product in enumerate(products)
        ]
        drawing.line(*points, **look)
        says = y + 12 + 22 * line
        drawing.line((x + 96, says), (x + 130, says), **look)
        drawing.words(x + 138, says, f"from row {row}", at="start", size=12)


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
        (74, "attention adds", "attention", PARTS["attention"]),
        (276, "network adds", "feed-forward", PARTS["network"]),
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
    """Let a curve of losses run for each runner."""
    steps = max(map(len, losses.values()))
    ends = [*range(max(steps // 12, 1), steps, max(steps // 12, 1)), *[steps] * 3]
    told = ", ".join(f"{name} {values[-1]:.2f}" for name, values in losses.items())
    show_frames(
        [race_until(end, losses, steps) for end in ends],
        f"Loss over {steps} steps, a curve for each kind of block. Last losses: {told}.",
        seconds=0.35,
    )


def race_until(end, losses, steps):
    """Draw how far the runners of a race of some steps are after `end` of them."""
    x, wide, foot, high = 30, 392, 214, 186
    up = high / max(filter(math.isfinite, itertools.chain(*losses.values())))
    drawing, names = Drawing(COLUMN, 250), []
    drawing.line((x, foot - high), (x, foot), (x + wide, foot), colour=PALE)
    drawing.words(4, 12, "loss", at="start", size=12, colour=GREY)
    for loss in range(int(high / up) + 1):
        drawing.words(x - 8, foot - up * loss, loss, size=12, at="end", colour=GREY)
    for step in range(0, steps + 1, 50 * (steps // 500 + 1)):
        drawing.words(x + wide * step / steps, foot + 13, step, size=12, colour=GREY)
    drawing.words(x + wide / 2, foot + 29, "steps", size=12, colour=GREY)
    looks = ({"colour": TEAL, "width": 2.5}, {"colour": GREY, "dashed": True, "width": 2}, {})
    for (name, values), look in zip(losses.items(), itertools.cycle(looks), strict=False):
        run = [each for each in enumerate(values[:end]) if math.isfinite(each[1])]
        seen = [(x + wide * step / steps, foot - up * loss) for step, loss in run]
        drawing.line(*seen, **look)
        names.append((seen[-1], f"{name} {values[:end][-1]:.2f}", look.get("colour", INK)))
    lowest = -math.inf  # so far, of names, which may not stand on one another
    for (at, height), says, colour in sorted(names, key=lambda name: name[0][1]):
        lowest = max(height, lowest + 18)
        drawing.words(at + 8, lowest, says, at="start", bold=True, colour=colour)
    return drawing


def show_broken(readers, understood, bits, guesses):
    """Draw what encoders do that have lost a part each, by their names, from the least loss to the worst.

    understood: how many words; bits: what a hidden word costs; and each fills a blank. Two `guesses`,
    of what is missed most and what isn't, are marked.
    """
    order = sorted(readers, key=lambda name: -understood[name])
    read = {name: vectors[0] for name, vectors in read_at_blanks([CHASED], readers).items()}
    high, top, told, (_, asked) = 27, 58, [], senses.quiz()
    foot = top + high * len(order)
    drawing = Drawing(COLUMN, foot + 38)
    measures = (
        (126, 96, understood, asked, "understood,", f"of {asked} words"),
        (282, 76, bits, max(bits.values()), "bits that a", "blank costs"),
    )
    for x, *_, first, second in (*measures, (426, "the cat", "chased the …")):
        drawing.words(x, 14, first, at="start", bold=True)
        drawing.words(x, 31, second, at="start", bold=True)
    for row, name in enumerate(order):
        y, colour = top + high * row, TEAL if name.startswith("no ") else GREY
        word, share = senses.guesses(read[name], 1)[0]
        drawing.words(118, y, name, at="end")
        for x, wide, numbers, full, *_ in measures:
            number = numbers[name]
            drawing.box(x, y - 9, wide, 18, PALE, opacity=0.3)
            drawing.box(x, y - 9, max(2 * (number > 0), wide * number / full), 18, colour)
            drawing.words(x + wide + 7, y, short(number), at="start", size=12)
        drawing.words(426, y, word, at="start", bold=True, colour=COLOURS["context"])
        drawing.words(536, y, f"{share:.0%}", at="end", size=12)
        told.append(f"{name}: {understood[name]} words, {bits[name]:.2f} bits, {word} {share:.0%}")
    blindly = math.log2(len(senses.words))
    blind = 282 + 76 * min(blindly / max(bits.values()), 1)
    drawing.line((blind, 46), (blind, foot - 10), dashed=True)
    drawing.words(blind, foot + 2, f"a blind guess: {blindly:.1f}", size=12)
    for number, (guess, says) in enumerate(
        zip(guesses, ("missed most", "not missed"), strict=True)
    ):
        left = plain(meant(guess, None, [name.removeprefix("no ") for name in order]))
        if f"no {left}" in order:
            put_mark(drawing, 2 + 10 * number, top + high * order.index(f"no {left}"), number)
            put_mark(drawing, 2 + 130 * number, foot + 26, number)
            drawing.words(15 + 130 * number, foot + 26, f"you: {says}", size=12, at="start")
            told.append(f"your guess of what is {says}: {left}")
    show_drawing(drawing, f"What an encoder does without a part. {'; '.join(told)}.")


def put_mark(drawing, x, y, hollow):
    """Draw a small triangle that points to the right, full or hollow."""
    corners = ((x, y - 5), (x + 8, y), (x, y + 5))
    if hollow:
        drawing.line(*corners, corners[0])
    else:
        drawing.area(*corners, colour=INK)


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
    looks = {
        "table of words": tint(TEAL, 0.4),
        "attention": PARTS["attention"],
        "feed-forward": PARTS["network"],
    }
    foot = 46 + 68 * len(models)
    drawing, x = Drawing(COLUMN, foot + 32), 4
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
            drawing.words(x + 266 * share, y + 29, f"{share:.0%}", colour=ink_on(colour), bold=True)
            x += 532 * share
        told.append(f"{title}: " + ", ".join(f"{p} {n / total:.0%}" for p, n in counts.items()))
    notes = (
        "Without norms (256 numbers at the top) and GPT-2's positions.",
        "The encoder at the top is slim: its d_ff is 2 · d_model.",
    )
    for line, note in enumerate(notes):
        drawing.words(4, foot + 20 * line, note, at="start", size=12, colour=GREY)
    show_drawing(drawing, f"Bars of where the parameters are. {'; '.join(told)}. {' '.join(notes)}")


def show_takeover(far):
    """Let a student's parts slide into two blocks, from the bottom up, and say how far off the numbers are.

    far: the largest difference with each part that came, two for each block.
    """
    places = [
        (y, name, PARTS[kind])
        for y, name, kind in (
            (196, "attention", "attention"),
            (148, "network", "network"),
            (82, "attention", "attention"),
            (34, "network", "network"),
        )
    ]

    def frame(done, slide):
        """Draw the blocks when `done` parts are in place, and the next one is on its way."""
        drawing = Drawing(COLUMN, 284)
        for y, name in ((24, "block 1"), (138, "block 0")):
            drawing.box(96, y, 216, 104, TEAL, opacity=0.12, edge=TEAL, corner=8)
            drawing.words(86, y + 52, name, at="end", bold=True)
        for at, (y, name, colour) in enumerate(places):
            drawing.box(108, y, 192, 36, PAPER, edge=GREY, corner=6)
            drawing.words(204, y + 18, f"PyTorch's {name}", colour=GREY)
            if at < done or (at == done and slide is not None):
                x = 108 + (228 * (1 - slide) if at == done else 0)
                drawing.box(x, y, 192, 36, PAPER, corner=6)
                drawing.box(x, y, 192, 36, colour, opacity=0.2, edge=colour, corner=6)
                drawing.words(x + 96, y + 18, f"your {name}", bold=True, colour=colour)
        if done:
            says = f"largest difference so far: {max(far[:done]):.4f}"
            drawing.words(204, 266, says, bold=True)
        return drawing

    frames = [frame(0, None)] * 2
    for done in range(len(far)):
        frames += [frame(done, slide) for slide in (0.0, 0.4, 0.8)] + [frame(done + 1, None)] * 2
    told = ", ".join(f"{number:.4f}" for number in far)
    show_frames(
        frames,
        "Your attention and your network slide into both blocks, in the place of PyTorch's layers. The "
        f"largest differences, with one part, two, three and four: {told}.",
        seconds=0.4,
    )
