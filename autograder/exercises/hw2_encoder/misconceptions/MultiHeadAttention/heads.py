"""What learners get wrong in MultiHeadAttention: heads."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-split-by-view-alone",
        description="Splits into heads by view or reshape without a transpose",
        message="You cut the columns straight into the shape that you want for the heads, and no "
        "two axes change places. `view`, like `reshape`, reads on like a book, so each head gets a "
        "few whole tokens instead of a few columns of every token. Cut first, then let two axes "
        "change places.",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), self.n_heads, -1, self.d_head)"
            )
        },
    ),
    Variant(
        tag="multi-head-split-interleaved",
        description="Gives head h every n_heads-th column",
        message="You deal out the columns like cards, one to each head in turn. A head should own "
        "neighbours, from h*d_head up to (h+1)*d_head. When you cut the columns, which number of "
        "the two counts the heads and which the places within one?",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), -1, self.d_head, self.n_heads).permute(0, 3, 1, 2)"
            )
        },
    ),
    Variant(
        tag="multi-head-merged-by-view-alone",
        description="Joins the heads by view or reshape without transposing back",
        message="Your heads are joined just as they lie, so a row of the result holds pieces of "
        "several tokens: `view` and `reshape` read on like a book. On the way in, two axes had to "
        "change places to get the heads apart. On the way out they have to change back.",
        edits={"x.transpose(1, 2).reshape": "x.reshape"},
    ),
    Variant(
        tag="multi-head-merged-as-if-heads-came-first",
        description="Joins (batch, n_heads, …) as if it were (n_heads, batch, …)",
        message="With one sentence your heads are joined well; with several, a sentence gets parts "
        "of another. You read (batch, n_heads, …) as if the heads came first, and `view` doesn't "
        "mind, since the numbers of entries agree. In which order do your axes leave the split?",
        edits={
            "x.transpose(1, 2).reshape": (
                "x.reshape(self.n_heads, len(x), -1, self.d_head).permute(1, 2, 0, 3).reshape"
            )
        },
    ),
    Variant(
        tag="multi-head-split-and-merged-by-view-alone",
        description="Splits and joins the heads by view or reshape, and never transposes",
        message="You cut the columns straight into the shape that you want for the heads, and join "
        "them as they lie: no two axes ever change places. `view`, like `reshape`, reads on like a "
        "book, so each head gets a few whole tokens instead of a few columns of every token. Cut "
        "first, then let two axes change places, and back again on the way out.",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), self.n_heads, -1, self.d_head)"
            ),
            "x.transpose(1, 2).reshape": "x.reshape",
        },
    ),
    Variant(
        tag="multi-head-merged-interleaved",
        description="Joins the heads so that their columns take turns",
        message="Your heads are shuffled like cards when they are joined: column 0 of each head, "
        "then column 1 of each. They should lie side by side, each in one piece. When the axes "
        "are (batch, token, …), which of the last two counts the heads, and must come first?",
        edits={"x.transpose(1, 2).reshape": "x.permute(0, 2, 3, 1).reshape"},
    ),
    Variant(
        tag="multi-head-interleaved-throughout",
        description="Gives head h every n_heads-th column, and puts them back there",
        message="You deal out the columns like cards, one to each head in turn, and collect them "
        "in the same way. The result fits together, but with weights that were learnt elsewhere it "
        "is another one: head h owns *neighbours*, from h*d_head up to (h+1)*d_head.",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), -1, self.d_head, self.n_heads).permute(0, 3, 1, 2)"
            ),
            "x.transpose(1, 2).reshape": "x.permute(0, 2, 3, 1).reshape",
        },
    ),
    Variant(
        tag="multi-head-heads-and-places-exchanged",
        description="Makes d_head heads of n_heads columns each",
        message="You make as many heads as a head should have columns, and the other way round: "
        "where you cut the columns, two sizes have changed places. Which of the two "
        "counts the heads, and which the places within one?",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), -1, self.d_head, self.n_heads).transpose(1, 2)"
            )
        },
    ),
    Variant(
        tag="multi-head-heads-and-places-exchanged-in-the-scale-too",
        description="Exchanges n_heads and d_head everywhere",
        message="n_heads and d_head have changed places in your module, in the scale as well: it "
        "has d_head heads of n_heads columns. Which of the two is given, and which is a quotient?",
        edits={
            "self.n_heads, self.d_head = n_heads, d_model // n_heads": (
                "self.d_head, self.n_heads = n_heads, d_model // n_heads"
            )
        },
    ),
    Variant(
        tag="multi-head-keys-and-values-shared",
        description="Lets all heads look among the first one's keys and values",
        message="All your heads look among the same keys and take home the same values: those of "
        "the first head's columns. Some later models share them, which is called multi-query "
        "attention. Here each head owns columns of keys and values as it does of queries.",
        edits={
            "self.split(Q), self.split(K), self.split(V)": (
                "self.split(Q), self.split(K)[:, :1], self.split(V)[:, :1]"
            )
        },
    ),
    Variant(
        tag="multi-head-heads-not-apart",
        description="Never transposes: heads of one token attend to each other",
        message="In your module the *heads* of a token attend to each other, and no token to "
        "another: matrices are multiplied along the last two axes, and those are head and column. "
        "Two axes have to change places, so that tokens and columns come last.",
        edits={
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)": (
                "x.view(len(x), -1, self.n_heads, self.d_head)"
            ),
            "x.transpose(1, 2).reshape": "x.reshape",
        },
    ),
    Variant(
        tag="multi-head-one-head-only",
        description="Works with a single head, whatever n_heads is",
        message="All columns work as a single head, whatever n_heads is, so each token has one "
        "opinion where several were asked for. Which line shares the columns out?",
        edits={
            "self.n_heads, self.d_head = n_heads, d_model // n_heads": (
                "self.n_heads, self.d_head = 1, d_model"
            )
        },
    ),
    Variant(
        tag="multi-head-heads-averaged",
        description="Averages (or adds) the heads instead of putting them side by side",
        message="You average or add up the heads, so that only d_head features are left, too few "
        "for W_O. Each head has found something of its own. Concat(…) in the formula keeps all of "
        "it.",
        edits={"self.merge(weights @ V)": "(weights @ V).mean(dim=1)"},
    ),
    Variant(
        tag="multi-head-heads-in-reverse",
        description="Joins the heads from the last to the first",
        message="Your heads lie side by side from the last to the first, so each one's columns "
        "stand where another's belong. Head 0 brings the first columns. Which line of yours turns "
        "their order round?",
        edits={"self.merge(weights @ V)": "self.merge((weights @ V).flip(1))"},
    ),
    Variant(
        tag="multi-head-weights-averaged",
        description="Averages the heads' weights, and uses the mean for all columns",
        message="Each column of your result is made with the mean of all heads' weights, so the "
        "heads have one opinion between them. What a head finds is for its own columns alone. "
        "Which columns of the values does each of your heads see?",
        edits={"weights @ V": "weights.mean(dim=1, keepdim=True) @ V"},
    ),
    Variant(
        tag="multi-head-merged-by-view-after-a-transpose",
        description="Joins the heads by view after a transpose: view refuses",
        message="You transpose the heads back and then call `view`, which refuses: it never moves "
        "numbers, and after a transpose they lie in another order. A relative of `view` copies "
        "them if it has to.",
        edits={"x.transpose(1, 2).reshape": "x.transpose(1, 2).view"},
    ),
    Variant(
        tag="multi-head-keys-cut-with-the-length-of-the-queries",
        description="Splits keys and values with n_q for their length",
        message="You split keys and values with the length of the queries. In self-attention "
        "the two agree; here there may be more keys than queries. Which of your tensors "
        "knows how many keys there are?",
        edits={
            "        Q, K, V = self.split(Q), self.split(K), self.split(V)": (
                "        sizes = (len(query), query.shape[1], self.n_heads, self.d_head)\n"
                "        Q, K, V = (x.view(sizes).transpose(1, 2) for x in (Q, K, V))"
            )
        },
    ),
    Variant(
        tag="multi-head-keys-after-n-q-left-out",
        description="Cuts keys and values to the number of queries",
        message="You cut keys and values to as many as there are queries, so later ones are never "
        "seen. In self-attention there are none; here there may be more keys than queries. Which "
        "sizes of your scores are equal, and should they be?",
        edits={
            "self.W_K(key), self.W_V(value)": (
                "self.W_K(key)[:, : query.shape[1]], self.W_V(value)[:, : query.shape[1]]"
            )
        },
    ),
    Variant(
        tag="multi-head-keys-after-512-left-out",
        description="Cuts keys and values to 512",
        message="Of a long sequence your queries see no more than the first 512 keys, which no "
        "short one shows. Attention needs no limit of length. Where does that number come from?",
        edits={
            "self.W_K(key), self.W_V(value)": "self.W_K(key)[:, :512], self.W_V(value)[:, :512]"
        },
    ),
    Variant(
        tag="multi-head-heads-averaged-and-repeated",
        description="Averages the heads and repeats the mean for each head's columns",
        message="You average the heads, and repeat the mean until it is wide enough for W_O. So "
        "what each head has found by itself is lost. Concat(…) in the formula keeps all of it.",
        edits={"self.merge(weights @ V)": "(weights @ V).mean(dim=1).repeat(1, 1, self.n_heads)"},
    ),
    Variant(
        tag="multi-head-heads-added-and-repeated",
        description="Adds the heads and repeats the sum for each head's columns",
        message="You add up the heads, and repeat the sum until it is wide enough for W_O. So "
        "what each head has found by itself is lost. Concat(…) in the formula keeps all of it.",
        edits={"self.merge(weights @ V)": "(weights @ V).sum(dim=1).repeat(1, 1, self.n_heads)"},
    ),
    Variant(
        tag="multi-head-one-head-repeated",
        description="Keeps the last head alone, and repeats it for each head's columns",
        message="Only your last head is kept, and it is repeated until it is wide enough for W_O. "
        "So what the others have found is lost. In a loop over the heads, each round needs a place "
        "of its own for its result: Concat(…) in the formula keeps all of them.",
        edits={"self.merge(weights @ V)": "(weights @ V)[:, -1].repeat(1, 1, self.n_heads)"},
    ),
    Variant(
        tag="multi-head-scores-averaged",
        description="Averages the scores over the heads, so that all attend alike",
        message="All your heads share one set of scores, the mean of what each of them found, so "
        "they have one opinion between them. A head goes by the scores of its own columns. Along "
        "which axis do you average, and before which step?",
        edits={
            "        if mask is not None:": (
                "        scores = scores.mean(dim=1, keepdim=True).expand_as(scores)\n"
                "        if mask is not None:"
            )
        },
    ),
    Variant(
        tag="multi-head-scores-of-all-columns",
        description="Scores with all columns of queries and keys; the values alone have heads",
        message="Each of your scores is a product over all columns of a query and a key, so every "
        "head has the same weights, and only the values are shared out. A head compares queries "
        "and keys in its own columns, and has an opinion of its own. What do you cut into heads, "
        "and when?",
        edits={
            "        if mask is not None:": (
                "        scores = scores.sum(dim=1, keepdim=True).expand_as(scores)\n"
                "        if mask is not None:"
            )
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two heads of one column each: the first head works with the first column of everything, the second
with the second. The projections change nothing here. The queries are (1, 0) and (0, 1), the keys
(1.1, 1.1) and (0, 0), the values (4, 0) and (0, 8); e^1.1 = 3.

The first head sees the queries 1 and 0, the keys 1.1 and 0, and the values 4 and 0:
0.75 · 4 + 0.25 · 0 = 3 and 0.5 · 4 + 0.5 · 0 = 2.

The second sees the queries 0 and 1, the keys 1.1 and 0, and the values 0 and 8:
0.5 · 0 + 0.5 · 8 = 4 and 0.75 · 0 + 0.25 · 8 = 2.

Side by side, they make (3, 4) and (2, 2). What does your first head see as
its two keys: one column of both tokens, or both columns of one?""",
        """\
attention = MultiHeadAttention(2, 2)
for layer in (attention.W_Q, attention.W_K, attention.W_V, attention.W_O):
    layer.weight.data, layer.bias.data = torch.eye(2), torch.zeros(2)
query = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
key = torch.tensor([[[1.0986, 1.0986], [0.0, 0.0]]])
value = torch.tensor([[[4.0, 0.0], [0.0, 8.0]]])
attention(query, key, value)""",
        [[[3.0, 4.0], [2.0, 2.0]]],
    ),
)
