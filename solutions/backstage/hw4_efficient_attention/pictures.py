def show_panels(panels, says, rows, columns, role="weights", numbers=True, outlined=None):
    """Draw matrices by title side by side, in one scale: the boldest cell is a 1; `says` tells what they show.

    rows, columns: what they stand for, with a role in brackets if they have one. outlined: a row of the
    last matrix that is framed.
    """
    panels = {title: matrix.detach().tolist() for title, matrix in panels.items()}
    n, wide = len(panels), max(len(matrix[0]) for matrix in panels.values())
    cell = min(32, (COLUMN - 32 - 28 * n) / (n * wide))
    height = max(len(matrix) for matrix in panels.values()) * cell
    drawing, step = Drawing(COLUMN, 62 + height), wide * cell + 28
    for place, (title, matrix) in enumerate(panels.items()):
        left = 60 + place * step
        drawing.words(left, 14, title, at="start", bold=True)
        drawing.grid(left, 30, matrix, COLOURS[role], cell=cell, largest=1, numbers=False)
        for i, row in enumerate(matrix if numbers else []):
            for j, number in enumerate(row):
                share = f"{100 * number:.0f}" if number >= 0.005 else ""
                middle = left + (j + 0.5) * cell - 1, 29 + (i + 0.5) * cell
                ink = ink_on(tint(COLOURS[role], min(number, 1)))
                size = cell * (0.5 if len(share) < 3 else 0.4)
                drawing.words(*middle, share, colour=ink, size=size)
    if outlined is not None:
        right, y = left + wide * cell - 1, 30 + (outlined + 0.5) * cell - 1
        top, bottom = y - cell / 2 - 1, y + cell / 2 + 1
        corners = (
            (left - 2, top),
            (right, top),
            (right, bottom),
            (left - 2, bottom),
            (left - 2, top),
        )
        drawing.line(*corners, colour=COLOURS["query"], width=2)
        drawing.words(left - 8, y, outlined, at="end", colour=COLOURS["query"], bold=True, size=12)
    name_axes(drawing, [60 + place * step for place in range(n)], 48 + height, rows, columns)
    unit = "weights in hundredths; " if numbers else ""
    show_drawing(drawing, f"{says} {n} panels: {unit}{'; '.join(panels)}.")


def name_axes(drawing, lefts, below, rows, columns):
    """Name the rows of grids at the left, and the columns of each grid below it, with arrows."""
    word, _, role = rows.partition(" ")
    drawing.words(4, 34, word, at="start", colour=colour_of(rows), bold=True, size=13)
    drawing.words(4, 52, role, at="start", colour=colour_of(rows), size=13)
    drawing.line((16, 68), (16, 120), colour=colour_of(rows), arrow=True)
    for left in lefts:
        colour, end = colour_of(columns), left + 12 + 7.4 * len(columns)
        drawing.words(left, below, columns, at="start", colour=colour, bold=True, size=13)
        drawing.line((end, below), (end + 44, below), colour=colour, arrow=True)


def colour_of(label):
    """Return the colour of the role that a label names in brackets."""
    return next((COLOURS[role] for role in ("query", "key") if f"({role})" in label), INK)


def show_squares(times):
    """Draw a square for each length, to scale, and fill them at the pace that was measured."""
    longest = max(times)
    side, base, n_frames, frames = 230, 240, 12, []
    metres = 2**17 / longest * side * 0.0254 / 96
    page = in_time(500 * times[longest])
    told = (
        (18, "A score for each pair, filled in real time", False),
        (52, f"One page more: {page}", True),
        (76, f"A novel: a square {metres:.1f} metres wide", True),
    )
    for frame in range(n_frames + 1):
        drawing, left, clock = Drawing(COLUMN, 284), 4, times[longest] * frame / n_frames
        for n, seconds in sorted(times.items(), reverse=True):
            edge, done = side * n / longest, min(1, clock / seconds)
            drawing.box(left, base - edge, edge, edge, PAPER, edge=PALE, corner=0)
            filled = (left, base - edge, edge, edge * done)
            drawing.box(*filled, COLOURS["weights"], opacity=0.75, corner=0)
            so_far = in_time(seconds) if done == 1 else f"{clock:.2f} s"
            drawing.words(left, base + 16, f"{n:,} tokens", at="start")
            drawing.words(left, base + 35, so_far, at="start", size=15, bold=True)
            left += max(edge, 88) + 22
        for y, text, bold in told:
            drawing.words(side + 26, y, text, at="start", size=14, bold=bold)
        frames.append(drawing)
    each = ", ".join(f"{n:,} tokens {in_time(seconds)}" for n, seconds in sorted(times.items()))
    alt = f"Squares to scale, as wide as the text is long. One more token: {each}. A page: {page}."
    still = frames[-1:] * n_frames  # then it stands still as long as it took
    show_frames(frames + still, alt, seconds=max(0.1, times[longest] / n_frames))


def show_memory():
    """Draw what scores and keys hold, to scale, with a laptop's memory of 16 GB as a dashed outline."""
    drawing, scale, base = (
        Drawing(COLUMN, 300),
        280 / 40e9**0.5,
        290,
    )  # pixels for the root of a byte
    things = (  # bytes, what they are, its colour, from the left, the height of its label
        (40e9, "40 GB: the scores of 100,000 tokens", "weights", 4, 30),
        (16e9, "16 GB: a laptop's memory", "", 4, 136),
        (25.6e6, "26 MB: the keys of these tokens", "key", 4, 262),
    )
    for n_bytes, what, role, left, label in things:
        edge = scale * n_bytes**0.5
        right, top, colour = left + edge, base - edge, COLOURS.get(role, INK)
        if role:
            opacity = 0.25 if n_bytes == 40e9 else 1
            drawing.box(left, top, edge, edge, colour, opacity=opacity, corner=0)
        else:
            drawing.line((left, top), (right, top), (right, base), width=2, dashed=True)
        drawing.line((right + 3, top + min(edge, 20) / 2), (306, label), colour=colour, width=1)
        size, _, thing = what.partition(": ")
        drawing.words(314, label, size, at="start", size=18, bold=True, colour=colour)
        drawing.words(314, label + 22, thing, at="start", colour=colour)
    told = "; ".join(what for _, what, *_ in things)
    show_drawing(drawing, f"Areas to scale. {told}. The scores outgrow the laptop.")


def show_band(window=2, n=12):
    """Draw which scores full attention computes, and which a window does: the rest is in shadow."""
    cell = (COLUMN - 88) / (2 * n)
    drawing = Drawing(COLUMN, 62 + n * cell)
    near = [[abs(i - j) <= window for j in range(n)] for i in range(n)]
    far = [[not each for each in row] for row in near]
    scores = sum(map(sum, near))
    style = {"cell": cell, "numbers": False, "largest": 1.4}
    lefts = 60, 60 + n * cell + 28
    for left, title, hidden in (
        (lefts[0], f"full attention: {n * n} scores", None),
        (lefts[1], f"window {window}: {scores} scores", far),
    ):
        drawing.words(left, 14, title, at="start", bold=True)
        drawing.grid(left, 30, [[1] * n] * n, COLOURS["weights"], hidden=hidden, **style)
    name_axes(drawing, lefts, 48 + n * cell, "looks (query)", "is looked at (key)")
    alt = (
        f"Two squares of {n} by {n} cells, one for each score. Full attention computes all {n * n}; "
        f"with a window of {window} only {scores} along the diagonal, and the rest lies in shadow."
    )
    show_drawing(drawing, alt)


def show_reach(hears, n_layers, token):
    """Show, layer by layer, whom one token hears, and how faintly: lines that fan out and fade.

    hears: in row i, which share of what token i hears in one layer comes from where, (n, n).
    """
    n, frames = len(hears), []
    gap, top, height = 520 / n, 62, 60

    def place(i, layer):
        return 18 + gap * i, top + height * (n_layers - layer)

    for shown in range(n_layers + 1):
        drawing = Drawing(COLUMN, top + height * n_layers + 12)
        heard = {token: 1.0}  # which share of what it knows comes from where
        for layer in range(n_layers, n_layers - shown, -1):
            below, most = {}, max(heard.values())
            for i, share in heard.items():
                for j, part in enumerate(hears[i].tolist()):
                    if part > 0:
                        loud = 0.15 + 0.85 * share / most
                        ends = place(j, layer - 1), place(i, layer)
                        drawing.line(*ends, colour=TEAL, opacity=loud)
                        below[j] = below.get(j, 0) + share * part
            heard = below
        for layer in range(n_layers + 1):
            at_token = shown == n_layers - layer
            for i in range(n):
                x, y = place(i, layer)
                loud = heard.get(i, 0) / max(heard.values()) if at_token else 0
                loud = 1 if i == token and layer == n_layers else loud
                colour = tint(TEAL, 0.25 + 0.75 * loud) if loud else PALE
                drawing.box(x - 7, y - 7, 14, 14, colour, corner=7)
            name = f"layer {layer}" if layer else "the text"
            drawing.words(536, place(0, layer)[1] - 17, name, size=12, at="end", colour=GREY)
        far = max(abs(i - token) for i in heard)
        says = f"{shown} layer{'s' * (shown != 1)}: it hears {far} place{'s' * (far != 1)} away"
        drawing.words(4, 16, says, at="start", bold=True)
        frames.append(drawing)
    alt = f"One token's lines fan out, layer by layer, the fainter the farther. {says}"
    ends = "both ends of the text" if {0, n - 1} <= heard.keys() else f"not the ends of {n} tokens"
    show_frames(frames, f"{alt}: {ends}.")


def show_brackets(n, d):
    """Draw both ways to bracket Q Kᵀ V, and say what is held in between and multiplied."""
    tall, small, drawing, told = 112, 28, Drawing(COLUMN, 330), []
    for top, title, left_first in (
        (24, f"(Q Kᵀ) V holds n × n = {n * n:,} numbers", True),
        (190, f"Q (Kᵀ V) holds d × d = {d * d:,} numbers", False),
    ):
        price = in_millions(2 * n * d * (n if left_first else d))
        drawing.words(4, top - 10, title, at="start", bold=True)
        drawing.words(536, top - 10, f"{price} multiplications", at="end", colour=GREY, size=12)
        told.append(f"{title}, {price} multiplications")
        x, middle = 4, top + tall / 2 + 10
        for name, wide, high, colour in (
            ("Q", small, tall, "query"),
            ("Kᵀ", tall, small, "key"),
            ("V", small, tall, "value"),
        ):
            first = left_first == (name != "V") or name == "Kᵀ"
            edge = INK if first else "none"
            box = (x, middle - high / 2, wide, high, COLOURS[colour])
            drawing.box(*box, opacity=0.8 if first else 0.3, edge=edge, corner=1)
            drawing.words(x + wide / 2, middle, name, size=15, colour=PAPER if first else INK)
            x += wide + 10
        drawing.line((x + 8, middle), (x + 46, middle), arrow=True)
        x += 66
        kept = (tall, "n × n") if left_first else (small, "d × d")
        order = ("kept", "V") if left_first else ("Q", "kept")
        for name in order:
            wide, high = (kept[0], kept[0]) if name == "kept" else (small, tall)
            strong = name == "kept"
            of_kept = COLOURS["weights"] if left_first else TEAL  # a summary weighs nobody
            colour = {"kept": of_kept, "V": COLOURS["value"], "Q": COLOURS["query"]}[name]
            box = (x, middle - high / 2, wide, high, colour)
            drawing.box(*box, opacity=1 if strong else 0.3, corner=1)
            text, ink = (kept[1], PAPER) if strong else (name, INK)
            if strong and wide < tall:  # too narrow to be written on
                drawing.words(x + wide + 8, middle, text, at="start", colour=TEAL, bold=True)
                break
            drawing.words(x + wide / 2, middle, text, size=15, colour=ink, bold=strong)
            x += wide + 10
    show_drawing(drawing, f"Two ways to bracket, for n = {n:,} and d = {d}. {'; '.join(told)}.")


def show_two_roads(query, keys, values):
    """Draw how one query finds the same context twice: key by key, and from two sums."""
    q, K = F.elu(query) + 1, F.elu(keys) + 1
    alike, summary, total = K @ q, K.T @ values, K.sum(dim=0)
    context, n = q @ summary / (q @ total), len(keys)
    drawing, cell = Drawing(COLUMN, 288), 34
    lefts = 4, 106, 208, 306, 468

    def part(column, top, name, matrix, colour, largest=None):
        rows = matrix.tolist() if matrix.dim() == 2 else [matrix.tolist()]
        y = top + 24 + cell * (n - len(rows)) / 2
        drawing.words(lefts[column], top, name, colour=colour, bold=True, at="start")
        drawing.grid(lefts[column], y, rows, colour, cell=cell, largest=largest)

    for top, title in ((16, "Key by key (eq. 4)"), (170, "From two sums, made once (eq. 5)")):
        drawing.words(4, top, title, at="start", size=15)
        part(0, top + 28, "φ(q)", q, COLOURS["query"], largest=6)
        part(4, top + 28, "context", context, COLOURS["context"], largest=8)
        middle = top + 52 + cell * n / 2
        says = f"÷ {q @ total:.0f}"
        drawing.words(448, middle - 14, says, at="end", size=12, colour=GREY)
        drawing.line((390, middle), (452, middle), colour=GREY, arrow=True)
    part(1, 44, "φ(k)", K, COLOURS["key"], largest=6)
    part(2, 44, "similarity", alike.unsqueeze(1), COLOURS["weights"], largest=20)
    part(3, 44, "v", values, COLOURS["value"], largest=16)
    part(1, 198, "Σ φ(k) vᵀ", summary, TEAL, largest=60)
    part(2, 198, "Σ φ(k)", total.unsqueeze(1), TEAL, largest=10)
    part(3, 198, "numerator", q @ summary, COLOURS["context"], largest=200)
    numbers = {"similarities": alike, "summary": summary, "sum of features": total}
    told = "; ".join(f"{name} {each.tolist()}" for name, each in numbers.items())
    show_drawing(drawing, f"Two roads to the same context {context.tolist()}: {told}.")


def show_features(curves):
    """Draw functions of x by name, each in its own style."""
    x = torch.linspace(-4, 3, 200)
    plt.figure(figsize=(5.6, 2.6), layout="constrained")
    looks = (("-", 3, TEAL), ("--", 1.8, GREY), (":", 1.8, GREY))
    for (name, function), (style, width, colour) in zip(curves.items(), looks, strict=True):
        plt.plot(x, function(x), style, linewidth=width, color=colour, label=name)
    plt.axhline(0, color="0.7", linewidth=0.8)
    plt.xlabel("x")
    plt.ylabel("value")
    plt.legend()
    ends = torch.tensor([-4.0, 0.0, 3.0])
    told = "; ".join(
        f"{name} is {', '.join(map(short, function(ends).tolist()))}"
        for name, function in curves.items()
    )
    show(f"Curves over x. At -4, 0 and 3, {told}. Only the first is above 0 everywhere.")


def show_glances(glances, tokens, usual=None):
    """Draw where one head of the last token looks: a strip of cells for each way, the bolder the more.

    glances: by name, its weights (n,); usual: by name, the largest weight of a head, on average, if
    that is to be told.
    """
    left, cell, top = 88, 390 / len(tokens), 62
    drawing, told = Drawing(COLUMN, top + 36 * len(glances)), []
    drawing.words(4, 14, "Where one head of the last token looks", at="start", bold=True)
    if usual:
        says = "a head's largest weight, on average"
        drawing.words(536, 14, says, at="end", size=12, colour=GREY)
    favourite = max(range(len(tokens)), key=next(iter(glances.values())).__getitem__)
    most = f"{next(iter(glances))} looks most at {tokens[favourite]!r}"
    x, side = left + (favourite + 1) * cell, "end"
    if favourite < len(tokens) / 2:
        x, side = left + favourite * cell, "start"
    drawing.words(x, 44, most, at=side, size=12, colour=GREY)
    drawing.words(left, 44, f"the first of {len(tokens)} tokens", at="start", size=12, colour=GREY)
    for row, (name, weights) in enumerate(glances.items()):
        y = top + 36 * row
        drawing.words(left - 10, y + 13, name, at="end")
        drawing.box(left - 1, y - 1, 392, 28, PAPER, edge=PALE, corner=2)
        for place, weight in enumerate(weights):
            at = (left + place * cell, y, cell - 0.8, 26)
            drawing.box(*at, COLOURS["weights"], opacity=weight**0.3, corner=1)
        told.append(f"{name}: at most {max(weights):.0%}")
        if usual:
            drawing.words(536, y + 13, f"{usual[name]:.0%}", at="end", size=15, bold=True)
            told[-1] += f", all heads on average {usual[name]:.0%}"
    show_drawing(
        drawing,
        f"Where one head of the last of {len(tokens)} tokens looks, in strips. {'; '.join(told)}.",
    )


def show_growth(longest, d):
    """Draw the numbers that a cache and a summary keep, over the number of tokens."""
    n = torch.arange(1, longest + 1)
    ax = plt.subplots(figsize=(4.6, 2.6), layout="constrained")[1]
    ax.plot(n, 2 * n * d, color=GREY, linewidth=2)
    ax.plot(n, 0 * n + d * d + d, color=TEAL, linewidth=3)
    cache, summary = 2 * longest * d, d * d + d
    ax.text(longest + 2, cache, f"a cache:\n{cache:,}", color=GREY, va="center")
    ax.text(
        longest + 2, summary, f"your sums:\n{summary:,}", color=TEAL, va="center", weight="bold"
    )
    ax.set(xlabel="tokens so far", ylabel="numbers kept", xlim=(0, longest), ylim=(0, 1.05 * cache))
    crossing = next(i for i in range(1, longest) if 2 * i * d > summary)
    ax.plot(crossing, summary, "o", color=TEAL)
    says = {"textcoords": "offset points", "arrowprops": {"arrowstyle": "-", "color": GREY}}
    larger = f"the cache is larger from {crossing} on"
    ax.annotate(larger, (crossing, summary), (50, 12), color=INK, **says)
    ax.yaxis.set_major_formatter("{x:,.0f}")
    show(f"Numbers kept for d = {d}: a rising line, and a level one that it crosses at {crossing}.")


def show_cache(tokens, caches):
    """Show one head's cache as it grows, step by step: keys and values, a row for each token."""
    frames, (n, d), high = [], caches[-1][0].shape, 22
    wide, lefts = 190 / d, {"key": 112, "value": 330}
    largest = [float(part.abs().max()) for part in caches[-1]]
    for step, pair in enumerate(caches):
        drawing = Drawing(COLUMN, 50 + n * high)
        for (name, left), part, most in zip(lefts.items(), pair, largest, strict=True):
            title = f"{name}s, {len(part)} × {d}"
            drawing.words(left, 14, title, at="start", colour=COLOURS[name], bold=True)
            drawing.box(left - 2, 32, 192, n * high + 1, PAPER, edge=PALE)
            for i, row in enumerate(part.tolist()):
                for j, number in enumerate(row):
                    colour = tint(COLOURS[name], min(abs(number) / most, 1))
                    place = round(left + j * wide), 34 + i * high, round(wide) - 1, high - 3
                    drawing.box(*place, colour, corner=1)
        for i, token in enumerate(tokens[: step + 1]):
            y, new = 34 + high * (i + 0.5), i == step
            drawing.words(92, y, token, at="end", code=True, bold=new)
            if new:
                drawing.line((96, y), (107, y), width=2, arrow=True)
        frames.append(drawing)
    told = f"{n} tokens, {' '.join(tokens)}, in {n} steps"
    show_frames(
        frames, f"Keys and values of one head: a new row for each of {told}; old rows stay."
    )


def show_chat(name, model, caches):
    """Draw the bytes of a model and of caches, by name, as areas to scale."""
    drawing, left = Drawing(COLUMN, 264), 4
    scale = 175 / max(model, *caches.values()) ** 0.5
    drawing.words(left, 16, name, at="start", bold=True)
    drawing.words(360, 16, "cache: keys", at="start", colour=COLOURS["key"], bold=True)
    drawing.words(458, 16, "and values", at="start", colour=COLOURS["value"], bold=True)
    sizes = {"the model": model} | caches
    for what, n_bytes in sizes.items():
        edge = scale * n_bytes**0.5
        roles = (GREY,) if what == "the model" else (COLOURS["key"], COLOURS["value"])
        wide = edge / len(roles)
        for side, colour in enumerate(roles):
            place = (left + side * wide, 215 - edge, wide, edge)
            drawing.box(*place, colour, opacity=0.8, corner=0)
        size = f"{n_bytes / 1e9:,.3g} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:,.3g} MB"
        drawing.words(left, 233, what, at="start", bold=True, size=12)
        drawing.words(left, 252, size, at="start", size=13)
        left += max(edge, 86) + 18
    told = ", ".join(f"{what} {n_bytes:,}" for what, n_bytes in sizes.items())
    show_drawing(drawing, f"{name}: areas to scale, in bytes: {told}.")


def show_prices(n, prices):
    """Draw the multiplications that one more token takes as squares to scale, the dearest first."""
    (dearest, most), *others = prices.items()
    figure = plt.figure(figsize=(5.6, 3.8))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, 560), ylim=(380, 0))
    ax.axis("off")

    def put(left, bottom, number):
        edge = 310 * (number / most) ** 0.5
        ax.add_patch(plt.Rectangle((left, bottom - edge), edge, edge, color=TEAL, linewidth=0))
        if edge < 6:  # or nobody would find it
            middle = left + edge / 2, bottom - edge / 2
            ax.add_patch(plt.Circle(middle, 11, fill=False, color=GREY, linewidth=1))

    def write(x, y, name, number, colour=INK):
        ax.text(x, y, in_millions(number), color=colour, size=20, weight="bold", va="center")
        ax.text(x, y + 28, name, color=colour, size=13, va="center")

    title = f"One more token after {n:,}: multiplications, as areas"
    ax.text(0, 24, title, size=12, va="center", color=GREY)
    put(0, 372, most)
    write(24, 320, dearest, most, PAPER)
    for row, (name, number) in enumerate(others):
        middle = 62 + 310 / len(others) * (row + 0.45)
        put(326, middle + 10, number)
        write(366, middle, name, number)
    told = "; ".join(f"{name} {in_millions(number)}" for name, number in prices.items())
    show(f"The price of one more token after {n:,}, in multiplications, as areas: {told}.")
