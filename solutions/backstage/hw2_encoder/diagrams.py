# Of the parts of a model, here and in homework 3: attention, the network, and what runs past both.
PARTS = {"attention": COLOURS["weights"], "network": GREY, "residual": COLOURS["residual"]}


def draw_parts():
    """Draw the encoder, with the number of the notebook's part in which each piece is built."""
    drawing, attention = Drawing(COLUMN, 296), PARTS["attention"]
    for x, y, w, h, number, text, says, colour in (
        (4, 8, 262, 278, "6", "Encoder", "each word in its context", TEAL),
        (16, 44, 238, 166, "5", "EncoderBlock, n times", "holds 2 and 4, can be stacked", TEAL),
        (28, 80, 214, 40, "4", "FeedForward", "each token thinks for itself", PARTS["network"]),
        (28, 132, 214, 68, "2", "MultiHeadAttention", "each looks in several ways", attention),
        (40, 164, 190, 30, "1", "SelfAttention", "each token looks at all of them", attention),
        (28, 232, 98, 42, "", "embedding", "", TEAL),
        (134, 232, 120, 42, "3", "positions", "say where each token stands", TEAL),
    ):
        drawing.box(x, y, w, h, PAPER, edge=colour, corner=8)
        drawing.box(x, y, w, h, colour, opacity=0.12, corner=8)
        middle = y + (20 if h > 60 else h / 2)
        drawing.words(x + (30 if number else 12), middle, text, at="start", size=13)
        if number:
            drawing.words(x + 16, middle, number, bold=True, colour=colour, size=16)
            drawing.line((x + w, middle), (292, middle), colour=colour, width=1, dashed=True)
            drawing.words(300, middle, says, at="start")
    show_drawing(
        drawing,
        "What is built in which part. 1: SelfAttention, inside 2: MultiHeadAttention. 3: positions. 4: "
        "FeedForward. 5: EncoderBlock, which holds 2 and 4. 6: Encoder, which holds all.",
    )


def draw_letters():
    """Draw a batch of sentences with the names of its sizes, and the colours of all pictures."""
    drawing, cell = Drawing(COLUMN, 206), 20
    for sheet in (1, 0):
        x, y = 66 + 20 * sheet, 38 - 18 * sheet
        drawing.box(x - 6, y - 6, 6 * cell + 10, 5 * cell + 10, PAPER, edge=PALE)
        for row in range(5):
            for column in range(6):
                place = (x + column * cell, y + row * cell, cell - 2, cell - 2)
                drawing.box(*place, TEAL, opacity=0.3)
    for x, y, name, size, at in (
        (56, 82, "seq", "5 tokens", "end"),
        (218, 32, "batch", "2 sentences", "start"),
        (126, 162, "d_model", "6 features", "middle"),
    ):
        drawing.words(x, y, name, bold=True, at=at, code=True)
        drawing.words(x, y + 18, size, at=at, size=12)
    says = {
        "query": "query: what I look for",
        "key": "key: what I can be found by",
        "value": "value: what I pass on",
        "weights": "weights: who looks at whom",
        "context": "context: what was found",
        "residual": "residual: what runs through",
    }
    for at, (name, text) in enumerate(says.items()):
        y = 6 + 32 * at
        drawing.box(316, y, 20, 20, COLOURS[name])
        drawing.words(344, y + 10, text, at="start")
    show_drawing(
        drawing,
        "A batch of 2 sentences as a stack of sheets, each with seq = 5 rows of tokens and d_model = 6 "
        "columns of features. Beside it a colour for each role: query, key, value, weights, context, "
        "residual.",
    )


def draw_attention_and_shapes():
    """Draw the shapes of what an attention head is given, makes and returns."""
    drawing = Drawing(COLUMN, 302)
    drawing.box(150, 6, 240, 40, GREY, opacity=0.12, edge=GREY, corner=8)
    drawing.words(164, 27, "X", bold=True, at="start")
    drawing.words(378, 27, "(batch, seq, d_model)", code=True, size=13, at="end")
    for name, x in (("query", 6), ("key", 187), ("value", 368)):
        colour, letter = COLOURS[name], name[0].upper()
        drawing.line((270 + (x - 187) * 0.4, 46), (x + 83, 89), arrow=True)
        drawing.box(x, 92, 166, 46, colour, opacity=0.16, edge=colour, corner=8)
        drawing.words(x + 83, 106, f"{letter} = W_{letter}(X)", bold=True, colour=colour)
        drawing.words(x + 83, 125, "(batch, seq, d_k)", code=True, size=12)
    for x, y, name, shape in (
        (30, 178, "weights", "(batch, seq, seq)"),
        (310, 250, "output", "(batch, seq, d_k)"),
    ):
        colour = COLOURS["weights" if name == "weights" else "context"]
        drawing.box(x, y, 210, 46, colour, opacity=0.14, edge=colour, corner=8)
        drawing.words(x + 105, y + 14, name, bold=True, colour=colour)
        drawing.words(x + 105, y + 33, shape, code=True, size=12)
    drawing.line((96, 138), (120, 175), arrow=True)
    drawing.line((255, 138), (170, 175), arrow=True)
    drawing.line((225, 224), (320, 247), arrow=True)
    drawing.line((451, 138), (430, 247), arrow=True)
    show_drawing(
        drawing,
        "Shapes in self-attention. X (batch, seq, d_model) goes through W_Q, W_K and W_V, and gives Q, K and V, "
        "(batch, seq, d_k). Q and K give the weights (batch, seq, seq); with V they give the output (batch, "
        "seq, d_k).",
    )


def draw_heads_and_shapes():
    """Draw the shapes of what multi-head attention is given, makes and returns."""
    drawing, size = Drawing(COLUMN, 386), 14
    columns = (("query", 6, "n_q"), ("key", 187, "n_k"), ("value", 368, "n_k"))
    for name, x, n in columns:
        colour, letter = COLOURS[name], name[0].upper()
        drawing.box(x, 6, 166, 50, colour, opacity=0.12, edge=colour, corner=8)
        drawing.words(x + 83, 21, name, bold=True, colour=colour, size=size)
        drawing.words(x + 83, 42, f"(batch, {n}, d_model)", code=True, size=12)
        drawing.line((x + 83, 56), (x + 83, 83), arrow=True)
        drawing.words(x + 93, 69, f"W_{letter}, split", at="start", size=12)
        drawing.box(x, 86, 166, 64, colour, opacity=0.22, edge=colour, corner=8)
        drawing.words(x + 83, 101, f"{letter} of every head", bold=True, colour=colour, size=size)
        drawing.words(x + 83, 121, "(batch, n_heads,", code=True, size=12)
        drawing.words(x + 83, 137, f"{n}, d_head)", code=True, size=12)
    for x, y, name, text, shape in (
        (76, 192, "weights", "weights of every head", "(batch, n_heads, n_q, n_k)"),
        (180, 264, "context", "context of every head", "(batch, n_heads, n_q, d_head)"),
        (180, 336, "context", "side by side, then W_O", "(batch, n_q, d_model)"),
    ):
        drawing.box(x, y, 240, 46, COLOURS[name], opacity=0.14, edge=COLOURS[name], corner=8)
        drawing.words(x + 120, y + 14, text, bold=True, colour=COLOURS[name], size=size)
        drawing.words(x + 120, y + 33, shape, code=True, size=12)
    drawing.line((100, 150), (150, 189), arrow=True)
    drawing.line((255, 150), (220, 189), arrow=True)
    drawing.box(4, 200, 52, 30, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(30, 242, "mask", colour=COLOURS["mask"], size=13)
    drawing.line((56, 215), (73, 215), colour=COLOURS["mask"], arrow=True)
    drawing.line((210, 238), (260, 261), arrow=True)
    drawing.line((451, 150), (451, 214), (380, 261), arrow=True)
    drawing.line((300, 310), (300, 333), arrow=True)
    show_drawing(
        drawing,
        "Shapes in multi-head attention. query (batch, n_q, d_model), key and value (batch, n_k, d_model) "
        "go through W_Q, W_K, W_V and are split into heads, (batch, n_heads, n, d_head). Queries, keys and "
        "the mask give weights (batch, n_heads, n_q, n_k); with the values they give a context for each "
        "head; side by side and through W_O that is (batch, n_q, d_model).",
    )


def draw_encoder_block():
    """Draw the encoder block, from the bottom up as the paper does."""
    drawing, brown = Drawing(520, 430), PARTS["residual"]
    for y, text, below, colour in (
        (306, "multi-head self-attention", "self_attn", PARTS["attention"]),
        (234, "add, then layer norm", "norm1", PARTS["residual"]),
        (138, "feed-forward network", "linear1, ReLU, linear2", PARTS["network"]),
        (66, "add, then layer norm", "norm2", PARTS["residual"]),
    ):
        drawing.box(90, y, 250, 50, colour, opacity=0.16, edge=colour, corner=8)
        drawing.words(215, y + 16, text, bold=True)
        drawing.words(215, y + 36, below, code=True, size=13)
    for start, end in ((398, 358), (306, 286), (234, 190), (138, 118), (66, 34)):
        drawing.line((215, start), (215, end), arrow=True)
    for bottom, top in ((378, 259), (212, 91)):
        drawing.line(
            (215, bottom), (400, bottom), (400, top), (344, top),
            colour=brown, width=5, arrow=True,
        )  # fmt: skip
        drawing.words(412, (bottom + top) / 2, "residual", colour=brown, at="start", bold=True)
    for y in (298, 126):
        drawing.words(226, y, "dropout", at="start", size=12)
    drawing.words(215, 412, "x  (batch, seq, d_model)")
    drawing.words(215, 18, "result  (batch, seq, d_model)")
    drawing.box(10, 316, 44, 30, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(6, 358, "padding", colour=COLOURS["mask"], size=13, at="start")
    drawing.line((54, 331), (87, 331), colour=COLOURS["mask"], arrow=True)
    show_drawing(
        drawing,
        "The encoder block from the bottom up: x, multi-head self-attention (with the padding mask), "
        "dropout, add and norm1, feed-forward network, dropout, add and norm2, result. A residual leads "
        "around attention and around the feed-forward network, into the add and norm above it.",
    )


def draw_norm():
    """Draw the features of two tokens as bars, and the bars that a layer norm makes of both."""
    small, large = [1.0, 2.0, 3.0, 6.0], [10.0, 20.0, 30.0, 60.0]
    normed = [F.layer_norm(torch.tensor(features), (4,)).tolist() for features in (small, large)]
    drawing = Drawing(COLUMN, 186)
    for left, features, ground, scale, name in (
        (4, small, 132, 1.7, "a token"),
        (130, large, 132, 1.7, "ten times it"),
        (312, normed[0], 96, 40, "normed"),
        (436, normed[1], 96, 40, "normed"),
    ):
        drawing.line((left, ground), (left + 100, ground), colour=PALE, width=1)
        for column, number in enumerate(features):
            x, high = left + 26 * column, scale * number
            drawing.box(x, ground - max(high, 0), 22, abs(high), TEAL, corner=1)
            beside = ground - high - (10 if high >= 0 else -10)
            drawing.words(x + 11, beside, f"{round(number, 1) + 0:g}", size=12)
        drawing.words(left, 172, name, at="start", bold=True)
    drawing.line((244, 88), (298, 88), colour=GREY, arrow=True)
    show_drawing(
        drawing,
        "Two tokens as bars, 1, 2, 3, 6 and 10, 20, 30, 60. A layer norm makes the same bars of both: "
        "-1.1, -0.5, 0, 1.6.",
    )


def draw_padding():
    """Draw a batch of three sentences, filled up with padding, and the mask that says where it is."""
    batch = ["the bat flew at night", "she swung it", "the bat slept long"]
    drawing, longest = Drawing(COLUMN, 166), 5
    drawing.words(4, 14, "a batch of three sentences", at="start", bold=True)
    drawing.words(312, 14, "key_padding_mask", at="start", bold=True, code=True)
    for row, sentence in enumerate(batch):
        y, words = 34 + 44 * row, sentence.split()
        for column in range(longest):
            x, pad = 4 + 59 * column, column >= len(words)
            edge = COLOURS["mask"] if pad else TEAL
            drawing.box(x, y, 55, 36, tint(TEAL, 0.16), edge=edge, hatched=pad, corner=6)
            filled, mask = tint(COLOURS["mask"], 0.3 * pad), (312 + 46 * column, y, 42, 36)
            drawing.box(*mask, filled, edge=edge if pad else PALE)
            for at, word in ((x + 27, "" if pad else words[column]), (mask[0] + 21, pad)):
                drawing.words(at, y + 18, word, size=12, bold=word is True)
    show_drawing(
        drawing,
        "A batch of three sentences of 5, 3 and 4 words. The second is filled up by two tokens of "
        "padding, the third by one; in key_padding_mask these three are True, and all others False.",
    )


def draw_encoder():
    """Draw the encoder: embedding, positions, a stack of blocks."""
    drawing = Drawing(COLUMN, 354)
    for x, y, w, text, below, colour in (
        (96, 260, 220, "embedding · √d_model", "(batch, seq, d_model)", GREY),
        (386, 260, 150, "positions", "(seq, d_model)", GREY),
        (96, 190, 220, "sum, dropout", "(batch, seq, d_model)", COLOURS["residual"]),
        (96, 130, 220, "EncoderBlock", "layers[0]", TEAL),
        (96, 46, 220, "EncoderBlock", "layers[n_layers - 1]", TEAL),
    ):
        drawing.box(x, y, w, 42, colour, opacity=0.15, edge=colour, corner=8)
        drawing.words(x + w / 2, y + 13, text, bold=True, size=14)
        drawing.words(x + w / 2, y + 31, below, code=True, size=12)
    for start, end in ((330, 304), (260, 234), (190, 174), (46, 28)):
        drawing.line((206, start), (206, end), arrow=True)
    drawing.line((206, 130), (206, 90), dashed=True, arrow=True)
    drawing.line((461, 260), (461, 211), (320, 211), arrow=True)
    drawing.words(206, 340, "tokens (batch, seq)")
    drawing.words(206, 14, "a vector for each token in its context")
    drawing.box(4, 92, 44, 34, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
    drawing.words(4, 140, "padding", colour=COLOURS["mask"], at="start")
    for y in (151, 67):
        drawing.line((48, 109), (93, y), colour=COLOURS["mask"], arrow=True)
    show_drawing(
        drawing,
        "The encoder from the bottom up: tokens, embedding times the root of d_model, plus positions, "
        "dropout, then n_layers encoder blocks, each of which is told the padding; a vector for each token.",
    )
