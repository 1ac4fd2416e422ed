ROLES = {  # of the parts in the pictures
    "attention": COLOURS["weights"],
    "memory": COLOURS["value"],  # the source, and what the encoder makes of it: it has the values
    "residual": COLOURS["residual"],
    "target": COLOURS["query"],  # what is written: it asks
}
FEW = 17  # pixels: in a smaller cell no number can be read


def share_of(number):
    """Write a share as a whole number of hundredths; what is less than a hundredth stays blank."""
    return f"{100 * number:.0f}" if number >= 0.005 else ""


def put_grid(
    drawing,
    x,
    y,
    matrix,
    rows,
    columns,
    *,
    cell=26,
    hidden=None,
    shown=share_of,
    top=None,
    colour=None,
):
    """Draw weights as cells with their hundredths, their rows and columns named; return the height."""
    matrix = [[float(number) for number in row] for row in matrix]
    top = top or max((abs(number) for row in matrix for number in row), default=1) or 1
    size = 13 if max(map(len, columns)) == 1 else 11  # single letters have room
    for j, name in enumerate(columns):
        drawing.words(x + (j + 0.5) * cell, y - 9, name, size=size)
    if cell < FEW:  # too many to draw those that are empty
        drawing.box(x, y, len(columns) * cell, len(rows) * cell, PAPER, edge=PALE)
    for i, (name, row) in enumerate(zip(rows, matrix, strict=True)):
        drawing.words(x - 6, y + (i + 0.5) * cell, name, size=size, at="end")
        for j, number in enumerate(row):
            place = (x + j * cell, y + i * cell, cell - 2, cell - 2)
            if hidden is not None and hidden[i][j]:
                drawing.box(*place, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
                continue
            share = min(abs(number) / top, 1)
            if cell < FEW and share < 0.02:
                continue
            drawing.box(*place, PAPER, edge=PALE)
            drawing.box(*place, colour or COLOURS["weights"], opacity=share)
            ink = ink_on(tint(colour or COLOURS["weights"], share))
            if cell < FEW:
                continue
            middle = (place[0] + cell / 2 - 1, place[1] + cell / 2 - 1)
            drawing.words(*middle, shown(number), colour=ink, size=max(8, 0.36 * cell))
    return len(matrix) * cell


def show_grids(
    panels, rows, columns, *, says, hidden=None, shown=share_of, looks="", seen="", colour=None
):
    """Show matrices by title side by side, in one scale: weights, or others in a `colour`."""
    panels = {title: weights.detach() for title, weights in panels.items()}
    n, margin = len(panels), 14 + 7 * max(len(str(name)) for name in rows)
    wide = max(len(weights[0]) for weights in panels.values())
    cell = min(38, (COLUMN - n * margin - 10) / (n * wide))
    step = margin + max(wide * cell, *(6.6 * len(title) for title in panels))
    under = f"rows: {looks}, columns: {seen}"
    is_weights = colour is None  # the darkest is a weight of 1, in every picture
    top = 1 if is_weights else max(each.abs().max().item() for each in panels.values())
    under += "; numbers: weights in hundredths" if is_weights and cell >= FEW else ""
    drawing = Drawing(max(n * step, margin + 6.6 * len(under)) + 10, 68 + len(rows) * cell)
    for place, (title, weights) in enumerate(panels.items()):
        at = margin + place * step
        drawing.words(at, 14, title, bold=True, size=12, at="start")
        options = {"hidden": (hidden or {}).get(title), "shown": shown, "cell": cell, "top": top}
        options["colour"] = colour
        put_grid(drawing, at, 46, weights.tolist(), rows, columns[: len(weights[0])], **options)
    at = (margin, 57 + len(rows) * cell)
    drawing.words(*at, under, size=12, at="start", colour=GREY)
    most = {
        title: ", ".join(str(columns[j]) for j in weights.argmax(dim=1).tolist())
        for title, weights in panels.items()
    }
    told = "; ".join(f"{title}: the rows are largest at {found}" for title, found in most.items())
    show_drawing(drawing, f"{says} {told}.")


def show_shadow(free, masked, hidden, words):
    """Show weights without a mask, and those under one, where what is hidden is hatched."""
    shadow = "in the shadow of causal_mask"
    show_grids(
        {"without a mask": free, shadow: masked},
        words,
        words,
        says="Weights in hundredths; on the right, what may not be seen is hatched.",
        hidden={shadow: hidden.tolist()},
        looks="who looks",
        seen="who is looked at",
    )


def show_shuffled(seen):
    """Draw, by title, how much of its look a token gives to each word, and what comes out of the block.

    seen: by title, the words of the memory, their weights, and the numbers of one output.
    """
    high, wide, cell, left, middle = 128, 54, 19, 376, 174
    drawing, told = Drawing(COLUMN, high * len(seen)), []
    drawing.words(left, 14, "what comes out", at="start", bold=True)
    largest = max(output.abs().max().item() for *_, output in seen.values())
    for row, (title, (words, weights, output)) in enumerate(seen.items()):
        y = 14 + high * row
        drawing.words(4, y, title, at="start", bold=True)
        shares = weights.tolist()
        for place, (word, share) in enumerate(zip(words, shares, strict=True)):
            x = middle + wide * (place + 0.5 - len(words) / 2)
            style = {"width": 1 + 16 * share, "opacity": 0.3 + 0.7 * share}
            drawing.line((middle, y + 26), (x, y + 62), colour=COLOURS["weights"], **style)
            edges = x - wide / 2 + 2, y + 66, wide - 4, 22
            drawing.box(*edges, ROLES["memory"], opacity=0.16, edge=ROLES["memory"])
            drawing.words(x, y + 77, word)
            drawing.words(x, y + 97, f"{share:.0%}", size=12, colour=COLOURS["weights"])
        drawing.box(middle - 10, y + 6, 20, 18, ROLES["target"], opacity=0.16, edge=ROLES["target"])
        drawing.line((left - 34, y + 50), (left - 12, y + 50), colour=GREY, arrow=True)
        style = {"cell": cell, "largest": largest, "numbers": False}
        drawing.grid(left, y + 41, [output.tolist()], TEAL, **style)
        looks = ", ".join(f"{word} {share:.0%}" for word, share in zip(words, shares, strict=True))
        told.append(f"{title}: {looks}; out come {[round(n, 2) for n in output.tolist()]}")
    show_drawing(drawing, f"Where one token looks, and what comes out. {'. '.join(told)}.")


def show_opinions(film, right):
    """Show the shares of the twelve tokens as bars, by title, one picture after the other."""
    largest, frames, told = max(max(shares) for shares in film.values()), [], []
    for title, shares in film.items():
        frames.append(draw_opinions(title, shares, right, largest))
        told.append(f"{title}: {', '.join(f'{named(i)} {n:.0%}' for i, n in enumerate(shares))}")
    alt = f"Shares of what comes next, where {named(right)} is right. {'; '.join(told)}."
    if len(frames) == 1:
        show_drawing(frames[0], alt)
    else:
        show_frames(frames, alt)


def draw_opinions(title, shares, right, largest):
    """Draw shares as bars beside the line of who knows nothing; `right` is the right token."""
    drawing, blind = Drawing(COLUMN, 236), 1 / len(shares)
    scale, floor, wide = 150 / largest, 196, 33
    drawing.words(14, 14, title, at="start", bold=True)
    at = floor - scale * blind
    drawing.line((10, at), (458, at), colour=INK, dashed=True)
    for token, share in enumerate(shares):
        x, y = 14 + token * (wide + 4), floor - scale * share
        drawing.box(x, y, wide, scale * share, TEAL, opacity=0.85)
        above = at if abs(y - 10 - at) < 12 else y  # the line shall not strike the number out
        drawing.words(x + wide / 2, above - 10, f"{100 * share:.0f}", size=13, bold=True)
        small = 11 if token in (BOS, EOS) else 15
        drawing.words(x + wide / 2, floor + 14, named(token), size=small, bold=token == right)
        if token == right:
            drawing.words(x, floor + 32, "the right one", at="start", size=13, bold=True)
    for line, text in enumerate(("who knows", f"nothing: {100 * blind:.0f}")):
        drawing.words(464, at - 8 + 17 * line, text, at="start", size=12)
    return drawing


def put_tokens(drawing, x, y, tokens, *, role="target", cell=34, marks=None, faint=()):
    """Draw tokens as boxes in a row; `marks` writes ✓ or ✗ into a corner of each."""
    for place, token in enumerate(tokens):
        colour = GREY if token in ("BOS", "EOS") else ROLES[role]
        at = x + place * cell
        light = 0.05 if place in faint else 0.16
        drawing.box(at, y, cell - 4, 26, colour, opacity=light, edge=colour)
        size = min(14, 0.42 * (cell - 4)) if len(str(token)) > 2 else 14
        drawing.words(at + cell / 2 - 2, y + 14, token, size=size)
        if marks and place < len(marks):
            right = marks[place]
            drawing.words(
                at + cell / 2 - 2,
                y + 36,
                "✓" if right else "✗",
                size=12,
                bold=not right,
            )


def put_looks(drawing, places, top, bottom, weights):
    """Draw lines from what is written down to what is read, as wide and as dark as the weights (t, s)."""
    for x, row in zip(places, weights.tolist(), strict=False):
        for at, share in zip(places, row, strict=False):
            if share >= 0.02:
                style = {"width": 0.5 + 12 * share, "opacity": 0.15 + 0.85 * share}
                drawing.line((x, top), (at, bottom), colour=COLOURS["weights"], **style)


def looks_in_words(written, source, weights):
    """Say where each step of writing looks most: `written` and `source` are tokens."""
    told = []
    for token, row in zip(written, weights.tolist(), strict=True):
        share = max(row)
        told.append(f"for {named(token)} at {named(source[row.index(share)])} {share:.0%}")
    return f"it looks most {', '.join(told)}"


def named(token):
    """Return the name of a token of this notebook's language."""
    return {BOS: "BOS", EOS: "EOS"}.get(int(token), str(int(token)))


def show_teacher_forcing(string):
    """Show what is read and what is to be said, in training, as lines of tokens one below the other."""
    whole = ["BOS", *reversed(string), "EOS"]
    lines = {
        "the source": string,
        "the whole target": whole,
        "the decoder reads": whole[:-1],
        "and should say": whole[1:],
    }
    drawing, cell = Drawing(COLUMN, 18 + 46 * len(lines)), 52
    for row, (name, tokens) in enumerate(lines.items()):
        y, role = 12 + 46 * row, "memory" if name == "the source" else "target"
        drawing.words(136, y + 13, name, at="end")
        put_tokens(drawing, 150, y, tokens, role=role, cell=cell)
        if name == "and should say":
            for column in range(len(tokens)):
                middle = 150 + (column + 0.5) * cell - 2
                drawing.line((middle, y - 18), (middle, y - 2), arrow=True)
    told = "; ".join(f"{name}: {' '.join(map(str, tokens))}" for name, tokens in lines.items())
    show_drawing(drawing, f"Lines of tokens in boxes. {told}.")


def show_strings(rows):
    """Show strings, what is written, and what is right: rows of (title, source, written, right)."""
    drawing = Drawing(COLUMN, 14 + 62 * len(rows))
    for row, (title, source, written, right) in enumerate(rows):
        y, cell = 10 + 62 * row, 28
        drawing.words(4, y + 14, title, at="start", bold=True)
        put_tokens(drawing, 134, y, [named(token) for token in source], role="memory", cell=cell)
        at = 134 + max(len(source), 6) * cell
        drawing.line((at + 4, y + 13), (at + 26, y + 13), arrow=True)
        marks = [i < len(right) and int(token) == int(right[i]) for i, token in enumerate(written)]
        put_tokens(drawing, at + 34, y, [named(token) for token in written], cell=cell, marks=marks)
    told = "; ".join(
        f"{title}: {' '.join(map(named, source))} becomes {' '.join(map(named, written))}, right is {' '.join(map(named, right))}"
        for title, source, written, right in rows
    )
    show_drawing(drawing, f"Strings and what is written, with ✓ and ✗. {told}.")


def show_under_weights(panels, source, right):
    """Show one below the other what is written above what is read, and the looks that lead there.

    panels: by title, where the last layer looks (t, s), and what is written.
    """
    high, places = 140, [152 + 66 * column for column in range(len(right))]
    drawing, told = Drawing(COLUMN, high * len(panels)), []
    for panel, (title, (weights, written)) in enumerate(panels.items()):
        y = 4 + high * panel
        name, _, share = title.partition(": ")
        drawing.words(4, y + 14, name, at="start", bold=True)
        drawing.words(4, y + 46, share, at="start", size=24, bold=True)
        put_looks(drawing, places, y + 28, y + 92, weights)
        for x, token, should in zip(places, written, right, strict=True):
            put_tokens(drawing, x - 20, y, [named(token)], cell=44)
            is_right = int(token) == int(should)
            drawing.words(x + 30, y + 13, "✓" if is_right else "✗", bold=not is_right)
        for x, token in zip(places, source, strict=False):
            put_tokens(drawing, x - 20, y + 94, [token], role="memory", cell=44)
        says = looks_in_words(written, source, weights)
        told.append(f"{title}: it writes {' '.join(map(named, written))}, and {says}")
    show_drawing(
        drawing,
        f"Above what is written, below what is read, {' '.join(map(named, source))}. {'; '.join(told)}.",
    )


def show_shares(curves):
    """Draw by name how the share of unseen strings that are right grows: pairs (batches, share)."""
    drawing, told = Drawing(COLUMN, 166), []
    left, right, floor, high = 46, 400, 130, 100
    most = max(batches for points in curves.values() for batches, _ in points)
    drawing.words(4, 12, "Unseen strings right", at="start", bold=True)
    for share in (0, 0.5, 1):
        drawing.line((left, floor - high * share), (right, floor - high * share), colour=PALE)
        drawing.words(
            left - 8, floor - high * share, f"{share:.0%}", at="end", size=12, colour=GREY
        )
    drawing.words(left, floor + 22, "0", size=12, colour=GREY)
    drawing.words(right, floor + 22, f"{most:,} batches", size=12, colour=GREY)
    styles = {"colour": GREY, "dashed": True}, {"colour": TEAL}
    for (name, points), style in zip(curves.items(), styles, strict=True):
        at = [
            (left + (right - left) * batches / most, floor - high * share)
            for batches, share in points
        ]
        drawing.line(*at, width=2.5, **style)
        drawing.words(at[-1][0] + 8, at[-1][1], name, at="start", size=12, bold=True)
        told.append(f"{name}: {', '.join(f'{batches}: {share:.0%}' for batches, share in points)}")
    show_drawing(drawing, f"Unseen strings right after so many batches. {'; '.join(told)}.")


def show_curves(curves, level, what="loss"):
    """Draw losses by name, and the mean around each place."""
    ax = plt.subplots(figsize=(5.6, 2.9), layout="constrained")[1]
    told = []
    looks = zip(NEUTRALS, ("-", "--"), strict=False)
    for (name, losses), (colour, style) in zip(curves.items(), looks, strict=False):
        smooth = torch.tensor(losses).unfold(0, min(15, len(losses)), 1).mean(dim=1)
        ax.plot(losses, color=colour, alpha=0.2)
        start = (len(losses) - len(smooth)) // 2
        ax.plot(
            range(start, start + len(smooth)), smooth, style, color=colour, linewidth=2, label=name
        )
        told.append(f"{name}: from {losses[0]:.2f} to {smooth[-1]:.4f}")
    ax.axhline(level, color=GREY, linestyle=":")
    ax.text(
        0.99, level, "no idea at all ", ha="right", va="bottom", transform=ax.get_yaxis_transform()
    )
    if min(min(losses) for losses in curves.values()) < level / 20:
        ax.set_yscale("log")
    ax.set(xlabel="batch", ylabel=what)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    show(f"{what.capitalize()} over batches. {'; '.join(told)}.")


def draw_crossing(axes, weights, source, written, size=19):
    """Draw what is written above what is read, and lines between them as wide as the weights; say so."""
    for i, row in enumerate(weights.tolist()):
        for j, share in enumerate(row):
            if share >= 0.02:
                draw_look(axes, [i, j], [0.82, 0.18], share)
    for y, tokens, role in ((1, written, "target"), (0, source, "memory")):
        for column, each in enumerate(tokens):
            colour = GREY if each == "EOS" else ROLES[role]
            box = {
                "boxstyle": "round,pad=0.35",
                "facecolor": tint(colour, 0.16),
                "edgecolor": colour,
            }
            large = 0.68 * size if each == "EOS" else size
            axes.text(column, y, each, ha="center", va="center", size=large, bbox=box)
    axes.axis("off")
    told = []
    for token, row in zip(written, weights.tolist(), strict=True):
        share = max(row)
        told.append(f"for {token} mostly at {source[row.index(share)]}, {share:.0%}")
    return "; ".join(told)


def show_crossings(looks):
    """Draw, side by side, what the heads of a last layer look at while a model writes.

    looks: by title, a model, what makes targets of strings, and a string.
    """
    every = plt.subplots(1, len(looks), figsize=(5.6, 2.2), layout="constrained")[1]
    told = []
    for axes, (title, (model, targets, src)) in zip(every, looks.items(), strict=True):
        right = targets(src[None])
        *_, last = weights_of(model, "multihead_attn", src[None], right[:, :-1])
        said, should = said_alone(model, src[None], right)[0], right[0, 1:]
        written = [named(token) for token in said]
        says = draw_crossing(axes, last.mean(dim=0), src.tolist(), written, size=11)
        told.append(f"{title}: {says}")
        for column in (said != should).nonzero().flatten().tolist():
            axes.text(column + 0.42, 1.12, "✗", ha="center", va="center", size=11, weight="bold")
        axes.set_title(title)
        axes.set(xlim=(-0.5, 5.5), ylim=(-0.25, 1.25))
    show(f"Above what is written, below what is read. {' | '.join(told)}.")
