def put_badge(drawing, x, y, text, colour):
    """Draw the number of a part of this notebook."""
    drawing.box(x - 11, y - 10, 22, 20, colour, corner=10)
    drawing.words(x, y + 1, text, size=12, bold=True, colour=PAPER)


def put_part(drawing, x, y, width, text, colour, *, height=36, badge=""):
    """Draw one part of a model as a box; a badge says in which part of the notebook you wrote it."""
    drawing.box(x, y, width, height, colour, opacity=0.14, edge=colour, corner=5)
    drawing.words(x + width / 2, y + height / 2, text, size=13)
    if badge:
        put_badge(drawing, x + width, y, badge, GREY)


def draw_three_masks():
    """Draw the right mask, none, and the wrong way round: a row looks at the columns, hatched is hidden."""
    drawing, words, cell = Drawing(COLUMN, 228), ["the", "cat", "sat", "on"], 32
    panels = (
        ("the right mask", "itself and all before", lambda i, j: j > i),
        ("no mask", "everything", lambda i, j: False),
        ("the wrong way round", "itself and all after", lambda i, j: j < i),
    )
    told = []
    for place, (title, sees, hides) in enumerate(panels):
        x, rows = 40 + 170 * place, []
        drawing.words(x, 14, title, at="start", bold=True)
        for i, word in enumerate(words):
            drawing.words(x + cell * (i + 0.5) - 1, 42, word, size=12)
            drawing.words(x - 8, 70 + cell * i, word, at="end", size=12)
            for j in range(len(words)):
                box = (x + cell * j, 55 + cell * i, cell - 2, cell - 2)
                if hides(i, j):
                    drawing.box(*box, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
                else:
                    drawing.box(*box, ROLES["attention"], opacity=0.5)
            seen = " ".join(seen for j, seen in enumerate(words) if not hides(i, j))
            rows.append(f"“{word}” sees {seen}")
        drawing.words(x, 196, f"sees {sees}", at="start", size=12)
        told.append(f"{title}: {', '.join(rows)}")
    under = "rows: who looks, columns: who is looked at"
    drawing.words(40, 218, under, at="start", size=12, colour=GREY)
    show_drawing(
        drawing, f"Three masks for four words, in which hatched is hidden. {'; '.join(told)}."
    )


def draw_map():
    """Draw encoder and decoder, the memory between them, shapes, and what is written already."""
    drawing, plain, attention = Drawing(COLUMN, 470), GREY, ROLES["attention"]
    drawing.box(4, 96, 196, 262, PALE, opacity=0.25, edge=PALE, corner=8)
    drawing.words(4, 64, "The encoder reads", at="start", bold=True, size=13)
    drawing.box(282, 96, 254, 262, PALE, opacity=0.25, edge=PALE, corner=8)
    drawing.words(536, 82, "The decoder writes", at="end", bold=True, size=13)
    up = {"arrow": True, "colour": INK}
    for x, points in (
        (103, (396, 304)),
        (103, (268, 232)),
        (381, (396, 336)),
        (381, (300, 262)),
        (381, (226, 188)),
        (381, (152, 50)),
    ):
        drawing.line((x, points[0]), (x, points[1]), **up)
    memory = ROLES["memory"]
    path = ((103, 196), (103, 80), (241, 80), (241, 243), (295, 243))
    drawing.line(*path, colour=memory, width=4, arrow=True)
    drawing.words(241, 262, "memory", bold=True, colour=memory, size=13)
    drawing.words(241, 279, "(batch, s,", size=11, code=True)
    drawing.words(241, 293, "d_model)", size=11, code=True)
    for y, text, colour in ((268, "self-attention", attention), (196, "feed-forward", plain)):
        put_part(drawing, 18, y, 170, text, colour)
    for y, text, colour, badge in (
        (300, "masked self-attention", attention, "1"),
        (226, "cross-attention", attention, ""),
        (152, "feed-forward", plain, ""),
    ):
        put_part(drawing, 298, y, 166, text, colour, badge=badge)
    drawing.words(492, 350, "causal_mask", at="end", size=12, code=True)
    for x, y, says in (
        (113, 379, "embedding, positions"),
        (391, 379, "embedding, positions"),
        (391, 56, "linear layer"),
    ):
        drawing.words(x, y, says, at="start", size=12)
    drawing.line((472, 156), (480, 156), (480, 332), (472, 332), colour=plain)
    put_badge(drawing, 504, 234, "2", plain)
    drawing.words(486, 258, "Decoder", at="start", size=11, code=True)
    drawing.words(486, 272, "Block", at="start", size=11, code=True)
    drawing.words(162, 118, "× n_layers", size=12, colour=plain)
    drawing.words(498, 118, "× n_layers", size=12, colour=plain)
    source, target = ["5", "0", "2", "1", "7"], ["BOS", "7", "1", "2", "0", "5"]
    for x, tokens, shape in ((18, source, "src (batch, s)"), (279, target, "tgt (batch, t)")):
        put_tokens(drawing, x, 400, tokens, role="memory" if x < 100 else "target")
        drawing.words(x + 17 * len(tokens) - 2, 440, shape, size=12, code=True)
    put_tokens(drawing, 279, 20, [*target[1:], "EOS"])
    drawing.words(270, 34, "logits (batch, t, tgt_vocab)", size=12, code=True, at="end")
    show_drawing(
        drawing,
        "Encoder and decoder. The source, 5 0 2 1 7, of shape (batch, s), is embedded, gets "
        "positions, and goes up through the encoder: self-attention and feed-forward, n_layers times. What comes out is the memory, (batch, s, "
        "d_model). It leads sideways into the cross-attention of the decoder. There the target, BOS 7 1 2 "
        "0 5, of shape (batch, t), goes up through masked self-attention, cross-attention and "
        "feed-forward, n_layers times, to logits (batch, t, vocab): each says what follows, 7 1 2 0 5 "
        "EOS. Part 1 was the mask, part 2 the decoder block.",
    )


def draw_decoder_block():
    """Draw the decoder block, from the bottom up as the paper does."""
    drawing = Drawing(COLUMN, 560)
    attention, plain, norm = ROLES["attention"], GREY, ROLES["residual"]
    x, width = 206, 220
    middle = x + width / 2
    sublayers = (
        (436, "masked self-attention", "self_attn", "norm1", attention),
        (276, "cross-attention", "multihead_attn", "norm2", attention),
        (116, "feed-forward", "linear1, ReLU, linear2", "norm3", plain),
    )
    for y, text, name, its_norm, colour in sublayers:
        drawing.box(x, y, width, 46, colour, opacity=0.14, edge=colour, corner=5)
        drawing.words(middle, y + 15, text, bold=True)
        drawing.words(middle, y + 33, name, size=12, code=True)
        drawing.box(x + 45, y - 64, width - 90, 30, norm, opacity=0.14, edge=norm, corner=5)
        drawing.words(middle, y - 49, f"add, {its_norm}", size=13)
        drawing.words(middle + 10, y - 16, "dropout", at="start", size=12)
        drawing.line((middle, y), (middle, y - 32), arrow=True)
        drawing.line(
            (middle, y + 76),
            (x + width + 40, y + 76),
            (x + width + 40, y - 49),
            (x + width - 42, y - 49),
            colour=norm,
            width=2.5,
            arrow=True,
        )
        drawing.words(x + width + 48, y + 16, "residual", size=12, at="start", colour=norm)
        drawing.line((middle, y + 96), (middle, y + 48), arrow=True)
    drawing.line((middle, 52), (middle, 36), arrow=True)
    drawing.words(middle + 10, 330, "queries", size=12, at="start", colour=COLOURS["query"])
    memory = ROLES["memory"]
    drawing.box(4, 272, 136, 54, memory, opacity=0.14, edge=memory, corner=5)
    drawing.words(72, 290, "memory", bold=True, colour=memory)
    drawing.words(72, 309, "(batch, s, d_model)", size=11, code=True)
    drawing.line((140, 290), (204, 290), colour=COLOURS["key"], width=2, arrow=True)
    drawing.line((140, 309), (204, 309), colour=memory, width=2, arrow=True)
    drawing.words(170, 278, "keys", size=12, colour=COLOURS["key"])
    drawing.words(170, 323, "values", size=12, colour=memory)
    drawing.words(middle, 545, "x  (batch, t, d_model)", size=13, code=True)
    drawing.words(middle, 22, "result  (batch, t, d_model)", size=13, code=True)
    for row in range(4):
        for column in range(4):
            place = (32 + 20 * column, 412 + 20 * row, 18, 18)
            if column > row:
                drawing.box(*place, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
            else:
                drawing.box(*place, attention, opacity=0.5)
    drawing.words(72, 506, "your mask: (t, t)", size=12)
    drawing.line((120, 458), (204, 458), colour=COLOURS["mask"], dashed=True, arrow=True)
    show_drawing(
        drawing,
        "The decoder block from the bottom up: x, masked self-attention under a triangular mask (t, t), "
        "add and norm1, cross-attention, where the queries come from below and keys and values from the "
        "memory, add and norm2, feed-forward network, add and norm3, result. A residual leads around "
        "each of the three sublayers.",
    )
