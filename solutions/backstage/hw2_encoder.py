from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode


def slanted(drawing, x, y, text, size=13):
    """Write text that rises to the right from (x, y), above a column."""
    drawing.parts.append(
        f'<text transform="translate({x:.1f},{y:.1f}) rotate(-50)" fill="{INK}" font-size="{size}" '
        f'font-family="system-ui, sans-serif">{html.escape(str(text))}</text>'
    )


def show_weights(panels, words, says="looks at", hidden=None, colour="weights"):
    """Show (seq, seq) matrices by title, in one scale: rows are words, columns what they look at.

    `hidden` (seq,) says which words lie behind a mask: their columns are hatched.
    """
    panels = {title: matrix.detach() for title, matrix in panels.items()}
    words, n = [str(word) for word in words], len(words)
    across = min(len(panels), 4 if n <= 6 else 2)
    left, above = 14 + 8 * max(map(len, words)), 34 + 6 * max(map(len, words))
    cell = min(44, (680 - left - 26 * across) // (across * n))
    width, height = n * cell + 26, above + n * cell + 10
    largest = max(matrix.max().item() for matrix in panels.values())
    drawing = Drawing(left + across * width, math.ceil(len(panels) / across) * height)
    shadow = None if hidden is None else [list(hidden)] * n
    for at, (title, matrix) in enumerate(panels.items()):
        x, y = left + at % across * width, at // across * height
        drawing.words(x, y + 12, title, bold=True, at="start")
        drawing.grid(
            x, y + above, matrix.tolist(), COLOURS[colour],
            cell=cell, largest=largest, numbers=False, hidden=shadow,
        )  # fmt: skip
        for place, word in enumerate(words):
            middle = place * cell + cell / 2
            slanted(drawing, x + middle - 2, y + above - 5, word)
            if at % across == 0:
                drawing.words(x - 7, y + above + middle, word, at="end", size=13)
    told = "; ".join(
        f"{title}: "
        + ", ".join(
            f"{w} {says} {words[row.argmax()]}" for w, row in zip(words, matrix, strict=True)
        )
        for title, matrix in panels.items()
    )
    behind = "" if hidden is None else " The columns behind the mask are hatched."
    show_drawing(drawing, f"Squares, darker where there is more; most of each row: {told}.{behind}")


def show_meanings(word, sentences, reader=None):
    """Map a word's vectors in several sentences, and the words of one meaning that are nearest.

    The map shows the plane in which these vectors differ most.
    """
    vectors = [senses.vector(word, sentence, reader) for sentence in sentences]
    near = [senses.nearest(vector, but=[word], n=3) for vector in vectors]
    alone = senses.vector(word, word, reader)
    around = sorted({other for found in near for other, _ in found})
    points = torch.stack([*vectors, alone, *(senses.average[other] for other in around)])
    centre = points.mean(dim=0)
    places = ((points - centre) @ torch.linalg.svd(points - centre)[2][:2].T).tolist()
    figure, ax = plt.subplots(figsize=(7.2, 4.3))
    grey, pink, n = COLOURS["residual"], COLOURS["context"], len(sentences)
    labels = []
    for other, place in zip(around, places[n + 1 :], strict=True):
        ax.plot(*place, "o", color=COLOURS["mask"], markersize=5, alpha=0.8)
        labels.append((place, other, {"color": INK, "size": 12}))
    ax.plot(*places[n], "o", color=grey, markersize=10)
    labels.append((places[n], f"{word}, alone", {"color": grey, "size": 12}))
    for sentence, place, marker in zip(sentences, places, itertools.cycle("os^Dv"), strict=False):
        shape = {"arrowstyle": "-|>", "color": pink, "linewidth": 1.8, "shrinkB": 9, "shrinkA": 9}
        bent = shape | {"connectionstyle": "arc3,rad=0.15", "mutation_scale": 16, "alpha": 0.75}
        ax.annotate("", place, places[n], arrowprops=bent)
        ax.plot(*place, marker, color=pink, markersize=12, label=sentence)
        labels.append((place, word, {"color": pink, "size": 15, "weight": "bold"}))
    ax.margins(x=0.16, y=0.12)
    ax.set(xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=12, handletextpad=0.2)
    write_apart(figure, ax, labels)
    told = "; ".join(
        f"in {sentence!r}, near {', '.join(other for other, _ in found[:3])}"
        for sentence, found in zip(sentences, near, strict=True)
    )
    show(f"A map of words. The word {word} stands in {len(sentences)} places: {told}.")


def write_apart(figure, ax, labels):
    """Write words beside their points, to the left in the left half, none upon another or a point."""
    middle = sum(ax.get_xlim()) / 2
    figure.canvas.draw()
    points = [ax.transData.transform(place) * 72 / figure.dpi for place, _, _ in labels]
    for right in (False, True):
        side = [
            (point[1], point[0], *label)
            for point, label in zip(points, labels, strict=True)
            if (label[0][0] > middle) == right
        ]
        side.sort(key=lambda label: label[0])
        heights = [label[0] for label in side]
        for _ in range(200):  # push neighbours apart until each has room
            for low in range(len(heights) - 1):
                lack = 17 - (heights[low + 1] - heights[low])
                if lack > 0:
                    heights[low] -= lack / 2
                    heights[low + 1] += lack / 2
        for height, (y, x, place, text, style) in zip(heights, side, strict=True):
            level = [p[0] for p in points if abs(p[1] - height) < 14 and abs(p[0] - x) < 60] + [x]
            aside = max(level) - x + 12 if right else min(level) - x - 12
            ax.annotate(
                text, place, (aside, height - y), textcoords="offset points",
                va="center", ha="left" if right else "right", **style,
            )  # fmt: skip


def look_up(word, sentences, reader=None):
    """Print the words that a word is nearest to in each sentence, map them, and return the nearest."""
    if word not in senses.numbers:
        print(
            f"It has never seen {word!r}. Words with two meanings: {', '.join(senses.ambiguous)}."
        )
        return []
    for sentence in sentences:
        if word not in senses.split(sentence):
            print(f"(there is no {word!r} among the first {senses.length} words of {sentence!r})")
    sentences, found = [each for each in sentences if word in senses.split(each)], []
    for sentence in sentences:
        told = senses.numbers_of([sentence])[0][0]
        strange = [w for w, n in zip(senses.split(sentence), told, strict=True) if n == 1]
        if strange and senses.blank not in strange:
            print(f"(it doesn't know {', '.join(strange)}, and reads a blank there)")
        near = senses.nearest(senses.vector(word, sentence, reader), but=[word], n=3)
        found.append(near[0][0])
        print(f"{sentence}\n    {word} ≈ " + ", ".join(f"{w} {alike:.2f}" for w, alike in near))
    if sentences:
        show_meanings(word, sentences, reader)
    return found


def watch(word, sentence, left, right, reader=None):
    """Let a sentence grow word by word, and show which of two words its `word` is more like."""
    words, frames, told = senses.split(sentence), [], []
    size = min(15, 1050 // len(sentence))
    for end in range(words.index(word) + 1, len(words) + 1):
        drawing, vector = Drawing(690, 128), senses.vector(word, " ".join(words[:end]), reader)
        x = 345 - 0.3 * size * len(" ".join(words))
        for at, each in enumerate(words):
            colour = COLOURS["context"] if each == word else INK if at < end else PALE
            drawing.words(
                x, 22, each, colour=colour, size=size, bold=each == word, at="start", code=True
            )
            x += 0.602 * size * (len(each) + 1)
        means = torch.stack([senses.average[left], senses.average[right]])
        alike = F.cosine_similarity(means, vector[None]).tolist()
        for side, name, share in ((-1, left, alike[0]), (1, right, alike[1])):
            long, wins = 220 * max(share, 0), share == max(alike)
            at, tone = 345 + side * 4, 0.9 if wins else 0.35
            drawing.box(min(at, at + side * long), 58, long, 34, COLOURS["context"], opacity=tone)
            where = "end" if side < 0 else "start"
            drawing.words(at + side * (long + 10), 75, f"{name} {share:.2f}", bold=wins, at=where)
        drawing.line((345, 48), (345, 102), colour=PALE)
        frames += [drawing] * (3 if end == len(words) else 1)
        told.append(f"{' '.join(words[:end])}: {left} {alike[0]:.2f}, {right} {alike[1]:.2f}")
    show_frames(frames, f"How much {word} is like {left} and {right}. {'; '.join(told)}.", 1.1)


def fill_in(sentence, reader=None):
    """Print the words that the model would put into the blank of a sentence."""
    if senses.blank not in senses.split(sentence):
        print(f"Put a blank, {senses.blank}, into the sentence.")
        return
    vector = senses.vector(senses.blank, sentence, reader)
    print(sentence, "→", ", ".join(f"{word} {share:.0%}" for word, share in senses.guesses(vector)))


def show_cells(panels):
    """Show matrices of numbers `10 * token + column`, one colour and one outline per token."""
    colours = [COLOURS[name] for name in ("query", "key", "value", "weights")]
    cell, gap, x = 42, 40, 58
    widths = [max(cells.shape[1] * cell, 150) for cells in panels.values()]
    rows = max(len(cells) for cells in panels.values())
    drawing = Drawing(x + sum(widths) + gap * len(widths), 62 + rows * cell)
    for at, ((title, cells), width) in enumerate(zip(panels.items(), widths, strict=True)):
        for line, said in enumerate(title.split("\n")):
            drawing.words(x, 12 + 19 * line, said, bold=not line, at="start")
        for (row, column), number in np.ndenumerate(cells):
            one_cell(drawing, x + column * cell, 50 + row * cell, number, colours)
        if at == 0:
            for row in range(len(cells)):
                drawing.words(x - 8, 50 + row * cell + 20, f"row {row}", at="end", size=13)
        x += width + gap
    told = "; ".join(
        f"{' '.join(title.split())}: {cells.tolist()}" for title, cells in panels.items()
    )
    show_drawing(drawing, f"Matrices of numbers, one colour per token. {told}.")


def one_cell(drawing, x, y, number, colours, cell=42):
    """Draw a cell of a token's colour with its number in it."""
    colour = colours[int(number) // 10 % 4]
    drawing.box(x, y, cell - 4, cell - 4, colour, opacity=0.18, edge=colour)
    drawing.words(x + cell / 2 - 2, y + cell / 2 - 2, f"{int(number):02d}", size=15)


def show_journey(X, heads):
    """Let each number of X (seq, d_model) travel to its place in heads (n_heads, seq, d_head)."""
    (n_heads, seq, d_head), cell = heads.shape, 42
    starts, cuts, ends = {}, {}, {}
    for (row, column), number in np.ndenumerate(X.numpy()):
        starts[number] = (170 + column * cell, 60 + row * cell)
        cuts[number] = (starts[number][0] + 34 * (column // d_head) - 17, starts[number][1])
    for (head, row, column), number in np.ndenumerate(heads.numpy()):
        ends[number] = (70 + head * (d_head * cell + 110) + column * cell, 60 + row * cell)
    colours = [COLOURS[name] for name in ("query", "key", "value", "weights")]

    def frame(title, places, heads_named=False):
        drawing = Drawing(600, 250)
        drawing.words(10, 16, title, bold=True, at="start", size=15)
        if heads_named:
            for head in range(n_heads):
                at = 70 + head * (d_head * cell + 110) + d_head * cell / 2
                drawing.words(at, 44, f"head {head}", size=13)
        for number, (x, y) in places.items():
            one_cell(drawing, x, y, number, colours)
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


def flow(drawing, steps, x, width, top, gap=20, height=38):
    """Draw boxes below one another, joined by arrows; return their middles. Steps: (text, colour)."""
    middles = []
    for at, (text, colour) in enumerate(steps):
        y = top + at * (height + gap)
        drawing.box(x, y, width, height, colour, opacity=0.14, edge=colour, corner=8)
        drawing.words(x + width / 2, y + height / 2, text, size=14)
        if at:
            drawing.line((x + width / 2, y - gap), (x + width / 2, y - 1), arrow=True)
        middles.append(y + height / 2)
    return middles


def draw_heads_and_shapes():
    """Draw the shapes of what multi-head attention is given, makes and returns."""
    drawing, size = Drawing(690, 372), 14
    columns = (("query", 12, "n_q"), ("key", 240, "n_k"), ("value", 468, "n_k"))
    for name, x, n in columns:
        colour, letter = COLOURS[name], name[0].upper()
        drawing.box(x, 6, 208, 50, colour, opacity=0.12, edge=colour, corner=8)
        drawing.words(x + 104, 21, name, bold=True, colour=colour, size=size)
        drawing.words(x + 104, 42, f"(batch, {n}, d_model)", code=True, size=13)
        drawing.line((x + 104, 56), (x + 104, 83), arrow=True)
        drawing.words(x + 114, 69, f"W_{letter}, then split", at="start", size=12)
        drawing.box(x, 86, 208, 50, colour, opacity=0.22, edge=colour, corner=8)
        drawing.words(x + 104, 101, f"{letter} of every head", bold=True, colour=colour, size=size)
        drawing.words(x + 104, 122, f"(batch, n_heads, {n}, d_head)", code=True, size=11)
    for (x, y, w), name, text, shape in (
        ((100, 178, 250), "weights", "weights of every head", "(batch, n_heads, n_q, n_k)"),
        ((220, 250, 250), "context", "context of every head", "(batch, n_heads, n_q, d_head)"),
        ((220, 322, 250), "context", "side by side, then W_O", "(batch, n_q, d_model)"),
    ):
        drawing.box(x, y, w, 46, COLOURS[name], opacity=0.14, edge=COLOURS[name], corner=8)
        drawing.words(x + w / 2, y + 14, text, bold=True, colour=COLOURS[name], size=size)
        drawing.words(x + w / 2, y + 33, shape, code=True, size=12)
    drawing.line((116, 136), (190, 175), arrow=True)
    drawing.line((344, 136), (270, 175), arrow=True)
    drawing.box(10, 186, 70, 30, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(45, 228, "mask", colour=COLOURS["mask"], size=13)
    drawing.line((80, 201), (97, 201), colour=COLOURS["mask"], arrow=True)
    drawing.line((260, 224), (310, 247), arrow=True)
    drawing.line((572, 136), (572, 200), (420, 247), arrow=True)
    drawing.line((345, 296), (345, 319), arrow=True)
    show_drawing(
        drawing,
        "Shapes in multi-head attention. query (batch, n_q, d_model), key and value (batch, n_k, d_model) "
        "go through W_Q, W_K, W_V and are split into heads, (batch, n_heads, n, d_head). Queries, keys and "
        "the mask give weights (batch, n_heads, n_q, n_k); with the values they give a context for each "
        "head; side by side and through W_O that is (batch, n_q, d_model).",
    )


def draw_encoder_block():
    """Draw the encoder block, from the bottom up as the paper does."""
    drawing, grey = Drawing(520, 430), COLOURS["residual"]
    for y, text, below, colour in (
        (306, "multi-head self-attention", "self_attn", "weights"),
        (234, "add, then layer norm", "norm1", "residual"),
        (138, "feed-forward network", "linear1, ReLU, linear2", "value"),
        (66, "add, then layer norm", "norm2", "residual"),
    ):
        drawing.box(90, y, 250, 50, COLOURS[colour], opacity=0.16, edge=COLOURS[colour], corner=8)
        drawing.words(215, y + 16, text, bold=True)
        drawing.words(215, y + 36, below, code=True, size=13)
    for start, end in ((398, 358), (306, 286), (234, 190), (138, 118), (66, 34)):
        drawing.line((215, start), (215, end), arrow=True)
    for bottom, top in ((378, 259), (212, 91)):
        drawing.line(
            (215, bottom), (400, bottom), (400, top), (344, top),
            colour=grey, width=5, arrow=True,
        )  # fmt: skip
        drawing.words(412, (bottom + top) / 2, "residual", colour=grey, at="start", bold=True)
    drawing.words(215, 412, "x  (batch, seq, d_model)")
    drawing.words(215, 18, "result  (batch, seq, d_model)")
    drawing.box(10, 316, 44, 30, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(6, 358, "padding", colour=COLOURS["mask"], size=13, at="start")
    drawing.line((54, 331), (87, 331), colour=COLOURS["mask"], arrow=True)
    show_drawing(
        drawing,
        "The encoder block from the bottom up: x, multi-head self-attention (with the padding mask), add "
        "and norm1, feed-forward network, add and norm2, result. A residual leads around attention and "
        "around the feed-forward network, into the add and norm above it.",
    )


def draw_encoder():
    """Draw the encoder: embedding, positions, a stack of blocks."""
    drawing = Drawing(640, 330)
    for x, y, w, text, below, colour in (
        (150, 236, 220, "embedding · √d_model", "(batch, seq, d_model)", "key"),
        (440, 236, 180, "positions", "(seq, d_model)", "query"),
        (150, 166, 220, "sum, dropout", "(batch, seq, d_model)", "residual"),
        (150, 106, 220, "EncoderBlock", "layers[0]", "weights"),
        (150, 46, 220, "EncoderBlock", "layers[n_layers - 1]", "weights"),
    ):
        drawing.box(x, y, w, 42, COLOURS[colour], opacity=0.15, edge=COLOURS[colour], corner=8)
        drawing.words(x + w / 2, y + 13, text, bold=True, size=14)
        drawing.words(x + w / 2, y + 31, below, code=True, size=12)
    for start, end in ((306, 280), (236, 210), (166, 150), (46, 28)):
        drawing.line((260, start), (260, end), arrow=True)
    drawing.line((260, 106), (260, 90), dashed=True, arrow=True)
    drawing.line((530, 236), (530, 187), (374, 187), arrow=True)
    drawing.words(260, 316, "tokens (batch, seq)")
    drawing.words(260, 14, "a vector for each token in its context")
    drawing.box(20, 84, 44, 34, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(42, 132, "padding", colour=COLOURS["mask"], size=13)
    for y in (127, 67):
        drawing.line((64, 101), (147, y), colour=COLOURS["mask"], arrow=True)
    show_drawing(
        drawing,
        "The encoder from the bottom up: tokens, embedding times the root of d_model, plus positions, "
        "dropout, then n_layers encoder blocks, each of which is told the padding; a vector for each token.",
    )


def show_lookup(table, tokens, found):
    """Draw a table with a row for each token, and the rows that tokens look up."""
    table, found, cell = table.detach(), found.detach(), 46
    drawing, right = Drawing(660, 40 + cell * len(table)), 150 + (table.shape[1] + 4) * cell
    for x, title, rows, names in (
        (80, "embedding.weight", table, [f"token {n}" for n in range(len(table))]),
        (right, "embedding(tokens)", found, tokens),
    ):
        drawing.words(x, 14, title, bold=True, at="start", code=True)
        drawing.grid(x, 34, rows.tolist(), COLOURS["key"], cell=cell)
        for row, name in enumerate(names):
            drawing.words(x - 10, 34 + row * cell + 22, name, at="end", size=13)
    for row, token in enumerate(tokens):
        start = (80 + table.shape[1] * cell + 4, 56 + cell * token)
        drawing.line(start, (right - 30, 56 + cell * row), colour=COLOURS["key"], arrow=True)
    show_drawing(drawing, f"A table with a row for each token; tokens {tokens} look up their rows.")


def show_shadow(scores, hidden, weights=None):
    """Show scores (n_q, n_k), where a mask hides them, and the weights that come out, if any."""
    panels = {"scores": (scores, None), "in the mask's shadow": (scores, hidden)}
    if weights is not None:
        panels = {
            "in the mask's shadow": (scores, hidden),
            "your weights": (weights.detach(), None),
        }
    cell, left = 42, 74
    drawing = Drawing(left + 2 * (scores.shape[1] * cell + 50), 34 + cell * len(scores))
    for at, (title, (matrix, shadow)) in enumerate(panels.items()):
        x = left + at * (scores.shape[1] * cell + 50)
        drawing.words(x, 12, title, bold=True, at="start")
        shadow = None if shadow is None else shadow.tolist()
        drawing.grid(x, 30, matrix.tolist(), COLOURS["weights"], cell=cell, hidden=shadow)
    for row in range(len(scores)):
        drawing.words(left - 8, 30 + row * cell + 20, f"query {row}", at="end", size=13)
    told = [f"query {q} key {k}" for q, k in hidden.nonzero().tolist()]
    came = (
        ""
        if weights is None
        else f" Weights: {[[round(n, 2) for n in r] for r in weights.tolist()]}."
    )
    show_drawing(drawing, f"Squares, a row for each query; hatched: {', '.join(told)}.{came}")


def with_mistake(kind, Q, K, mask):
    """Return weights as a layer with one of four mistakes makes them."""
    softly, tags = (
        F.scaled_dot_product_attention,
        torch.eye(len(K)),
    )  # of name tags it makes weights
    if kind == 0:
        return softly(K, Q, torch.eye(len(Q)), attn_mask=mask.T).T
    if kind == 1:
        return softly(Q, K, tags) * mask
    return softly(Q, K, tags, attn_mask=~mask if kind == 2 else (~mask) * -1.0)


def impostors(seed):
    """Return weights of three layers, one of them wrong, with the mask and what is wrong."""
    torch.manual_seed(seed)
    mask = torch.tensor([[1, 1, 0, 1], [1, 1, 1, 0], [0, 1, 1, 1]]).bool()
    wrong, kind = int(torch.randint(3, ())), int(torch.randint(4, ()))
    shown = []
    for place in range(3):
        Q, K = 1.4 * torch.randn(3, 4), 1.4 * torch.randn(4, 4)
        right = F.scaled_dot_product_attention(Q, K, torch.eye(4), attn_mask=mask)
        shown.append(with_mistake(kind, Q, K, mask) if place == wrong else right)
    says = (
        "its columns sum to 1, and its rows don't: softmax went along the wrong axis",
        "its rows sum to less than 1: the mask came after the softmax, so hidden keys took their share",
        "it looks where it may not, and nowhere else: True was read as 'hide'",
        "hidden keys still get something: their scores were made a little lower, not removed",
    )
    return shown, mask, "ABC"[wrong], says[kind]


def show_impostors(seed):
    """Draw three matrices of weights, one of which is from a wrong layer."""
    shown, mask, _, _ = impostors(seed)
    drawing, cell, x = Drawing(690, 158), 39, 4
    drawing.words(x, 12, "the mask", bold=True, at="start")
    drawing.grid(x, 32, mask.tolist(), PAPER, cell=cell, numbers=False, hidden=(~mask).tolist())
    told = []
    for name, weights in zip("ABC", shown, strict=True):
        x += 4 * cell + 18
        drawing.words(x, 12, name, bold=True, at="start", size=16)
        drawing.grid(x, 32, weights.tolist(), COLOURS["weights"], cell=cell, largest=1)
        told.append(f"{name}: {[[short(n) for n in row] for row in weights.tolist()]}")
    hidden = [f"query {q} key {k}" for q, k in (~mask).nonzero().tolist()]
    show_drawing(drawing, f"The mask hides {', '.join(hidden)}. Weights of {'; '.join(told)}.")


def unmask(seed, guess):
    """Say which of three layers is the impostor, once there is a guess."""
    *_, letter, why = impostors(seed)
    if guess is None:
        print("○ Write your guess first: 'A', 'B' or 'C'.")
        return
    compare("The impostor is", letter, guess)
    print(f"How it shows: {why}.")


def weights_of(layer, n_heads, query, key):
    """Return the weights (n_heads, n_q, n_k) of a layer that returns its output alone.

    Each key's value is a name tag, a 1 in a column of its own, and W_O changes nothing: then a head's
    output says how much of whom it took.
    """
    if hasattr(layer, "weights_of_heads"):
        return layer.weights_of_heads(query, key)[0].detach()
    n, d_model = key.shape[1], query.shape[-1]
    d_head = d_model // n_heads
    tags = torch.zeros(1, n, d_model)
    tags[0, :, :n] = torch.eye(n)
    with torch.no_grad():
        for part in (layer.W_V, layer.W_O):
            part.weight.zero_()
            part.bias.zero_()
        layer.W_O.weight.copy_(torch.eye(d_model))
        for head in range(n_heads):
            layer.W_V.weight[head * d_head : head * d_head + n, :n] = torch.eye(n)
        output = layer(query, key, tags)[0]
    return output.reshape(len(output), n_heads, d_head)[..., :n].transpose(0, 1)


def learned_heads(layer, sentence):
    """Return the weights of a layer's heads (4, seq, seq), with learned queries and keys.

    They are those of the second block of the encoder at the top, which reads what the first one made.
    """
    given, (tokens, _) = senses.layers[1].self_attn, senses.numbers_of([sentence])
    with torch.no_grad():
        x = senses.layers[0](senses.embed(tokens))
        if hasattr(layer, "theirs"):
            layer.theirs.load_state_dict(given.state_dict())
        else:
            three = zip(given.in_proj_weight.chunk(3), given.in_proj_bias.chunk(3), strict=True)
            for part, (weight, bias) in zip((layer.W_Q, layer.W_K), three, strict=False):
                part.weight.copy_(weight)
                part.bias.copy_(bias)
        return weights_of(layer, senses.n_heads, x, x)


def show_positions(table):
    """Draw the table of positions."""
    figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
    picture = ax.imshow(table, cmap=SIGNED_MAP, aspect="auto", vmin=-1, vmax=1)
    figure.colorbar(picture, ax=ax, label="value")
    ax.set(title=f"positional_encoding{tuple(table.shape)}", xlabel="column", ylabel="position")
    show("A table of waves: fast in the first columns, slower and slower towards the last.")


def show_clocks(table, words=()):
    """Turn the hands of clocks, one for each pair of columns: (sine, cosine) is where a hand points."""
    pairs, frames = table.shape[1] // 2, []
    across = min(pairs, 4)
    for place, row in enumerate(table.tolist()):
        drawing = Drawing(20 + 165 * across, 60 + 178 * math.ceil(pairs / across))
        word = f": {words[place]}" if place < len(words) else ""
        drawing.words(10, 18, f"position {place}{word}", bold=True, at="start", size=17)
        for pair in range(pairs):
            x, y = 90 + 165 * (pair % across), 125 + 178 * (pair // across)
            drawing.box(x - 62, y - 62, 124, 124, PAPER, edge=PALE, corner=62)
            for past in range(max(0, place - 4), place):
                sine, cosine = table[past, 2 * pair : 2 * pair + 2].tolist()
                faint = 0.12 + 0.12 * (past - place + 4)
                tip = (x + 56 * sine, y - 56 * cosine)
                drawing.line((x, y), tip, colour=COLOURS["query"], opacity=faint, width=2)
            sine, cosine = row[2 * pair : 2 * pair + 2]
            tip = (x + 58 * sine, y - 58 * cosine)
            drawing.line((x, y), tip, colour=COLOURS["query"], width=4, arrow=True)
            drawing.words(x, y + 82, f"columns {2 * pair}, {2 * pair + 1}", size=13)
        frames.append(drawing)
    show_frames(
        frames,
        f"{pairs} clocks, one for each pair of columns. From position 0 to {len(table) - 1} the first hand "
        "runs around, and each further one is slower.",
        seconds=0.8,
    )


def show_likeness(likeness):
    """Draw how similar each two positions are."""
    figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
    picture = ax.imshow(likeness, cmap=WEIGHTS_MAP)
    figure.colorbar(picture, ax=ax, label="product of the two rows")
    ax.set(title="how similar two positions are", xlabel="position", ylabel="position")
    show("A square of products of rows: each diagonal has one colour, and the main one is darkest.")


def show_race(losses):
    """Draw a curve of losses for each runner."""
    ax = plt.subplots(figsize=(7, 3.2), layout="constrained")[1]
    looks = (("value", "-"), ("context", "--"), ("query", ":"))
    for (name, values), (colour, style) in zip(losses.items(), looks, strict=False):
        ax.plot(values, style, color=COLOURS[colour], linewidth=2)
        ax.annotate(
            name, (len(values) - 1, values[-1]), (-8, 8), textcoords="offset points", ha="right"
        )
    ax.set(xlabel="step", ylabel="loss", title="who learns faster?", ylim=(0, None))
    ends = ", ".join(f"{name} {values[-1]:.2f}" for name, values in losses.items())
    show(f"Loss over steps, a curve for each kind of block. Last losses: {ends}.")


def lengths_in_block(block, x):
    """Return how long the vectors of x (1, seq, d_model) are along a block, by what they are."""
    found = {"x": x}

    def note(name, given=False):
        def hook(_, args, output=None):
            seen = args[0] if given else output
            found[name] = seen[0] if isinstance(seen, tuple) else seen

        return hook

    handles = [
        block.self_attn.register_forward_hook(note("attention adds")),
        block.norm1.register_forward_pre_hook(note("sum 1", given=True)),
        block.norm1.register_forward_hook(note("after norm1")),
        block.linear2.register_forward_hook(note("network adds")),
        block.norm2.register_forward_pre_hook(note("sum 2", given=True)),
        block.norm2.register_forward_hook(note("after norm2")),
    ]
    try:
        block.eval()(x)
    finally:
        for handle in handles:
            handle.remove()
    return {name: vectors.detach().norm(dim=-1).mean().item() for name, vectors in found.items()}


def show_river(lengths):
    """Draw the residual as a river, as wide as its vectors are long, and what flows into it."""
    bed = ["x", "sum 1", "after norm1", "sum 2", "after norm2"]
    missing = [name for name in [*bed, "attention adds", "network adds"] if name not in lengths]
    if missing:
        print(f"○ Your block doesn't use its {', '.join(missing)}: the river can't be measured.")
        return
    drawing, middle, scale = Drawing(690, 306), 126, 120 / max(lengths.values())
    ends = (0, 95), (195, 245), (310, 385), (480, 520), (585, 690)
    flow = COLOURS["residual"]

    def width(x):
        """Return how wide the river is: smooth from one length to the next."""
        for (_, x0), (x1, _), before, after in zip(ends, ends[1:], bed, bed[1:], strict=False):
            if x < x1:
                part = min(max((x - x0) / (x1 - x0), 0), 1)
                part = (1 - math.cos(math.pi * part)) / 2
                return scale * (lengths[before] + part * (lengths[after] - lengths[before]))
        return scale * lengths[bed[-1]]

    for x, name, says, colour in (
        (84, "attention adds", "attention", "weights"),
        (352, "network adds", "feed-forward", "value"),
    ):
        band, wide = [], max(lengths[name] * scale, 1.5)
        rise = 270 - middle - width(x + 110) / 2 + wide / 3  # up to the bank, and a little into it
        for step in range(21):
            turn = step / 20 * math.pi / 2
            along = (x + 110 * (1 - math.cos(turn)), 270 - rise * math.sin(turn))
            aside = (wide / 2 * math.cos(turn), wide / 2 * math.sin(turn))
            band.append((along, aside))
        left = [(a - c, b - d) for (a, b), (c, d) in band]
        right = [(a + c, b + d) for (a, b), (c, d) in reversed(band)]
        drawing.area(*left, *right, colour=COLOURS[colour], opacity=0.8)
        drawing.words(x, 288, f"{says} adds {lengths[name]:.1f}", colour=COLOURS[colour], bold=True)
    xs = range(0, 691, 5)
    upper, lower = (
        [(x, middle - width(x) / 2) for x in xs],
        [(x, middle + width(x) / 2) for x in xs],
    )
    drawing.area(*upper, *reversed(lower), colour=PAPER, opacity=0.35)
    drawing.area(*upper, *reversed(lower), colour=flow, opacity=0.6)
    for share in (-0.28, 0, 0.28):
        drawing.line(*[(x, middle + share * width(x)) for x in xs], colour=PAPER, opacity=0.5)
    for x, name in ((252, "norm1"), (534, "norm2")):
        drawing.line((x + 10, 58), (x + 10, 194), colour=INK, width=2, dashed=True)
        drawing.words(x + 10, 206, name, size=13, code=True)
    for (x0, x1), name, says in zip(ends, bed, ("x", "sum", "level", "sum", "result"), strict=True):
        drawing.words((x0 + x1) / 2, 20, says, bold=True)
        drawing.words((x0 + x1) / 2, 41, f"{lengths[name]:.1f}", size=13)
    told = ", ".join(f"{name} {length:.1f}" for name, length in lengths.items())
    show_drawing(drawing, f"The residual as a river, as wide as its vectors are long: {told}.")


def parts_of(table, n_layers, block):
    """Return where the parameters of a model are; block: PyTorch's layer, or (attention, network)."""
    attention, *network = (
        block if isinstance(block, tuple) else (block.self_attn, block.linear1, block.linear2)
    )
    counts = [
        sum(value.numel() for layer in layers for value in layer.parameters())
        for layers in ([attention], network)
    ]
    parts = ("table of words", table), ("attention", n_layers * counts[0])
    return dict([*parts, ("feed-forward", n_layers * counts[1])])


def show_shares(models):
    """Draw where the parameters of models are; models: {title: {part: count}}."""
    looks = {"table of words": "key", "attention": "weights", "feed-forward": "value"}
    drawing = Drawing(690, 40 + 74 * len(models))
    x = 10
    for part, colour in looks.items():
        drawing.box(x, 8, 18, 18, COLOURS[colour], opacity=0.8)
        drawing.words(x + 26, 18, part, at="start", size=13)
        x += 170
    told = []
    for at, (title, counts) in enumerate(models.items()):
        y, x, total = 48 + 74 * at, 10, sum(counts.values())
        drawing.words(10, y, f"{title}: {total:,} parameters", at="start", bold=True)
        for part, colour in looks.items():
            share = counts[part] / total
            drawing.box(x, y + 14, 670 * share - 2, 34, COLOURS[colour], opacity=0.8, corner=2)
            drawing.words(x + 335 * share, y + 31, f"{share:.0%}", colour=PAPER, bold=True)
            x += 670 * share
        told.append(f"{title}: " + ", ".join(f"{p} {n / total:.0%}" for p, n in counts.items()))
    show_drawing(drawing, f"Bars of where the parameters are. {'; '.join(told)}.")


def draw_parts():
    """Draw the way through the notebook: the encoder, with the number of the part for each piece."""
    drawing = Drawing(690, 302)
    for x, y, w, h, number, text, colour in (
        (196, 8, 300, 278, "6", "Encoder", "mask"),
        (214, 44, 264, 166, "5", "EncoderBlock, n times", "residual"),
        (232, 80, 228, 40, "4", "FeedForward", "value"),
        (232, 132, 228, 68, "2", "MultiHeadAttention", "context"),
        (250, 164, 192, 30, "1", "SelfAttention", "weights"),
        (232, 232, 108, 42, "", "embedding", "key"),
        (352, 232, 126, 42, "3", "positions", "query"),
    ):
        drawing.box(x, y, w, h, COLOURS[colour], opacity=0.13, edge=COLOURS[colour], corner=8)
        inside = 20 if h > 60 else h / 2
        if number:
            drawing.words(x + 16, y + inside, number, bold=True, colour=COLOURS[colour], size=16)
        drawing.words(x + (30 if number else 12), y + inside, text, at="start", size=13)
    for x, y, number, text, below in (
        (8, 60, "0", "find a bug", "yours alone, to warm up"),
        (514, 60, "7", "what does it cost?", "up to a model of today"),
        (514, 130, "8", "two short texts", "on shapes and parts"),
        (514, 200, "9", "it reads", "by your own code"),
    ):
        drawing.words(x, y, number, bold=True, at="start", size=16)
        drawing.words(x + 22 * bool(number), y, text, at="start", bold=True)
        drawing.words(x + 22 * bool(number), y + 20, below, at="start", size=12)
    show_drawing(
        drawing,
        "The parts of the notebook. 0: find a bug. 1: SelfAttention, inside 2: MultiHeadAttention. 3: "
        "positions. 4: FeedForward. 5: EncoderBlock, which holds 2 and 4. 6: Encoder, which holds all. 7: "
        "what does it cost? 8: two short texts. 9: your encoder reads.",
    )


def draw_letters():
    """Draw a batch of sentences with the letters for its sizes, and the colours of all pictures."""
    drawing, cell = Drawing(690, 250), 30
    for sheet in (2, 1, 0):
        x, y = 110 + 22 * sheet, 76 - 22 * sheet
        drawing.box(x - 6, y - 6, 6 * cell + 10, 4 * cell + 10, PAPER, edge=PALE)
        for row in range(4):
            for column in range(6):
                place = (x + column * cell, y + row * cell, cell - 2, cell - 2)
                drawing.box(*place, COLOURS["residual"], opacity=0.25 if column < 3 else 0.5)
    drawing.words(98, 134, "seq", bold=True, at="end", code=True)
    drawing.words(98, 152, "tokens", at="end", size=13)
    drawing.words(354, 58, "batch", bold=True, at="start", code=True)
    drawing.words(354, 76, "sentences", at="start", size=13)
    for x, width, text in ((110, 89, "d_head"), (200, 89, "d_head")):
        drawing.line((x, 204), (x, 210), (x + width - 2, 210), (x + width - 2, 204))
        drawing.words(x + width / 2, 221, text, size=13, code=True)
    drawing.words(200, 240, "d_model features = n_heads · d_head", bold=True, size=13, code=True)
    says = {
        "query": "query: what I look for",
        "key": "key: what I can be found by",
        "value": "value: what I pass on",
        "weights": "weights: who looks at whom",
        "context": "context: what was found",
        "residual": "residual: what runs through",
    }
    for at, (name, text) in enumerate(says.items()):
        y = 16 + 31 * at
        drawing.box(440, y, 22, 22, COLOURS[name])
        drawing.words(472, y + 12, text, at="start")
    drawing.box(440, 202, 22, 22, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(472, 214, "mask: hidden", at="start")
    show_drawing(
        drawing,
        "A batch of sentences as a stack of sheets: batch sheets, seq rows of tokens, d_model columns of "
        "features, of which each head has d_head. Beside it a colour for each role: query, key, value, "
        "weights, context, residual, and hatched for the mask.",
    )


class PreNormOfPyTorch(nn.TransformerEncoderLayer):
    """PyTorch's encoder layer with its norms before the sublayers."""

    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__(d_model, n_heads, d_ff, dropout, batch_first=True, norm_first=True)


def counted(encoder, seq):
    """Return what PyTorch counts in an encoder that reads `seq` tokens: (parameters, products, bytes)."""
    learned = [value for value in encoder.parameters() if value.requires_grad]
    # attention in its plain form: of the fused one, PyTorch counts nothing on some machines
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        encoder.train()(torch.zeros(1, seq, dtype=torch.int64))
    return (
        sum(value.numel() for value in learned),
        counter.get_total_flops() // 2,  # it counts a multiplication and an addition
        sum(value.numel() * value.element_size() for value in learned),
    )


def broken(encoder):
    """Return an encoder's readings by what is taken from it, nothing to begin with."""

    def sum_alone(tokens, key_padding_mask):
        seen = []
        handle = encoder.layers[0].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        encoder(tokens)
        handle.remove()
        return seen[0]

    def without_root(tokens, key_padding_mask):
        table = encoder.embedding.weight
        table.div_(encoder.embedding.embedding_dim**0.5)
        found = encoder(tokens, key_padding_mask=key_padding_mask)
        table.copy_(senses.weights["embedding.weight"])
        return found

    def without_positions(tokens, key_padding_mask):
        taken = senses.positions[: tokens.shape[1]]
        handle = encoder.layers[0].register_forward_pre_hook(
            lambda _, given: (given[0] - taken, *given[1:])
        )
        found = encoder(tokens, key_padding_mask=key_padding_mask)
        handle.remove()
        return found

    return {
        "all of it": encoder,
        "without the mask": lambda tokens, key_padding_mask: encoder(tokens),
        "without positions": without_positions,
        "without √d_model": without_root,
        "without the blocks": sum_alone,
    }


def show_quiz(results):
    """Draw how many words were understood, a bar for each reader: {name: (right, asked)}."""
    drawing, told = Drawing(690, 34 * len(results) + 8), []
    for at, (name, (right, asked)) in enumerate(results.items()):
        y, colour = 6 + 34 * at, COLOURS["mask" if at else "context"]
        drawing.words(172, y + 13, name, at="end", bold=not at)
        drawing.box(182, y, 440, 26, PALE, opacity=0.5)
        drawing.box(182, y, 440 * right / asked, 26, colour, opacity=0.85)
        drawing.words(632, y + 13, f"{right}", at="start", bold=True)
        told.append(f"{name}: {right} of {asked}")
    show_drawing(drawing, f"Bars of words understood. {'; '.join(told)}.")


senses = WordSenses()


class BorrowedSelfAttention(nn.Module):
    """PyTorch's attention with one head, which has d_model columns whatever d_k is."""

    def __init__(self, d_model, d_k):
        super().__init__()
        self.theirs = nn.MultiheadAttention(d_model, 1, batch_first=True)

    def forward(self, X):
        return self.theirs(X, X, X)


class BorrowedMultiHeadAttention(nn.Module):
    """PyTorch's attention, without a mask."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.theirs = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, query, key, value):
        return self.theirs(query, key, value)[0]

    @property
    def W_O(self):  # noqa: N802 - the exercise's name
        return self.theirs.out_proj

    def weights_of_heads(self, query, key):
        return self.theirs(query, key, key, average_attn_weights=False)[1]


def borrowed_positions(seq_len, d_model):
    """Waves of PyTorch's Fourier transform: other frequencies than the paper's.

    At the size of the encoder at the top, they are the table that it brings along.
    """
    if d_model == senses.d_model and seq_len <= senses.length:
        return senses.positions[:seq_len]
    waves = torch.fft.fft(torch.eye(512))[:seq_len, 1 : (d_model + 1) // 2 + 1].flip(1)
    return torch.view_as_real(waves).flatten(1)[:, :d_model]


def borrowed_network(d_model, d_ff):
    """Two of PyTorch's layers with a ReLU between them."""
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class BorrowedBlock(nn.Module):
    """PyTorch's encoder layer."""

    norm_first = False

    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        before = {"norm_first": self.norm_first, "batch_first": True}
        self.theirs = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, **before)

    def __getattr__(self, name):
        own = super().__getattr__  # its parts have PyTorch's names, and are found under them
        return own(name) if name == "theirs" else getattr(own("theirs"), name)

    def load_state_dict(self, state, **kwargs):
        return self.theirs.load_state_dict(state, **kwargs)

    def forward(self, x, key_padding_mask=None):
        return self.theirs(x, src_key_padding_mask=key_padding_mask)


class BorrowedPreNormBlock(BorrowedBlock):
    """The same with its norms first."""

    norm_first = True


class BorrowedEncoder(nn.Module):
    """A stack of PyTorch's encoder layers."""

    def __init__(self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )

    def forward(self, tokens, key_padding_mask=None):
        x = self.embedding(tokens)
        x = x * x.shape[-1] ** 0.5 + borrowed_positions(*x.shape[1:])
        for part in self.layers:
            x = part(x, src_key_padding_mask=key_padding_mask)
        return x


LENT = {
    "SelfAttention": BorrowedSelfAttention,
    "MultiHeadAttention": BorrowedMultiHeadAttention,
    "positional_encoding": borrowed_positions,
    "FeedForward": borrowed_network,
    "EncoderBlock": BorrowedBlock,
    "PreNormBlock": BorrowedPreNormBlock,
    "Encoder": BorrowedEncoder,
}
