"""What learners get wrong in MultiHeadAttention."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    drawn_anew,
    no_bias,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("n_heads doesn't divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)

    def merge(self, x):
        return x.transpose(1, 2).reshape(len(x), -1, self.n_heads * self.d_head)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        Q, K, V = self.split(Q), self.split(K), self.split(V)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        context = self.merge(weights @ V)
        output = self.W_O(context)
        return output
"""

# The guards on built-ins are not in place where variants are asked: they raise like this.
_FORBIDDEN = """\
class Forbidden(RuntimeError):
    pass


"""
_NOT_ALLOWED = 'raise Forbidden("not allowed in this exercise")'

WRONG_HEADS = (
    Variant(
        tag="multi-head-split-by-view-alone",
        description="Splits into heads by view or reshape without a transpose",
        message="You cut the columns into heads by `view` alone, straight into the shape you want. "
        "`view` reads on like a book, so each head gets a few whole tokens instead of a few "
        "columns of every token. Cut first, then let two axes change places: which?",
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
        message="Your heads are joined by `view` or `reshape` alone, so a row of the result holds "
        "pieces of several tokens. On the way in, two axes changed places to get the heads apart. "
        "What has to come before the joining on the way out?",
        edits={"x.transpose(1, 2).reshape": "x.reshape"},
    ),
    Variant(
        tag="multi-head-merged-interleaved",
        description="Joins the heads so that their columns take turns",
        message="Your heads are shuffled like cards when they are joined: column 0 of each head, "
        "then column 1 of each. They should lie side by side, each in one piece. When the axes "
        "are (batch, token, …), which of the last two counts the heads, and must come first?",
        source=REFERENCE.replace("x.transpose(1, 2).reshape", "x.permute(0, 2, 3, 1).reshape"),
    ),
    Variant(
        tag="multi-head-interleaved-throughout",
        description="Gives head h every n_heads-th column, and puts them back there",
        message="You deal out the columns like cards, one to each head in turn, and collect them "
        "in the same way. The result fits together, but with weights that were learnt elsewhere "
        "it is another one: head h owns *neighbours*, from h*d_head up to (h+1)*d_head. Which "
        "number counts the heads?",
        source=REFERENCE.replace(
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)",
            ("x.view(len(x), -1, self.d_head, self.n_heads).permute(0, 3, 1, 2)"),
        ).replace("x.transpose(1, 2).reshape", "x.permute(0, 2, 3, 1).reshape"),
    ),
    Variant(
        tag="multi-head-heads-and-places-exchanged",
        description="Makes d_head heads of n_heads columns each",
        message="You make as many heads as a head should have columns, and the other way round: "
        "the last two sizes of your `view` have changed places. Which of them counts the heads, "
        "and where should it stand before the transpose?",
        source=REFERENCE.replace(
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)",
            "x.view(len(x), -1, self.d_head, self.n_heads).transpose(1, 2)",
        ),
    ),
    Variant(
        tag="multi-head-heads-and-places-exchanged-in-the-scale-too",
        description="Exchanges n_heads and d_head everywhere",
        message="n_heads and d_head have changed places in your module, in the scale as well: it "
        "has d_head heads of n_heads columns. Which of the two is given, and which is a quotient?",
        source=REFERENCE.replace(
            "self.n_heads, self.d_head = n_heads, d_model // n_heads",
            "self.d_head, self.n_heads = n_heads, d_model // n_heads",
        ),
    ),
    Variant(
        tag="multi-head-heads-not-apart",
        description="Never transposes: heads of one token attend to each other",
        message="In your module the *heads* of a token attend to each other, and no token to "
        "another: matrices are multiplied along the last two axes, and those are head and column. "
        "Which two axes have to change places, so that tokens and columns come last?",
        source=REFERENCE.replace(
            "x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)",
            "x.view(len(x), -1, self.n_heads, self.d_head)",
        ).replace("x.transpose(1, 2).reshape", "x.reshape"),
    ),
    Variant(
        tag="multi-head-one-head-only",
        description="Works with a single head, whatever n_heads is",
        message="All columns work as a single head, whatever n_heads is, so each token has one "
        "opinion where several were asked for. Which line shares the columns out?",
        source=REFERENCE.replace(
            "self.n_heads, self.d_head = n_heads, d_model // n_heads",
            "self.n_heads, self.d_head = 1, d_model",
        ),
    ),
    Variant(
        tag="multi-head-heads-averaged",
        description="Averages (or adds) the heads instead of putting them side by side",
        message="You average or add up the heads, so that only d_head features are left, too few "
        "for W_O. Each head has found something of its own. What does Concat(…) in the formula do "
        "with them?",
        source=REFERENCE.replace("self.merge(weights @ V)", "(weights @ V).mean(dim=1)"),
    ),
    Variant(
        tag="multi-head-merged-by-view-after-a-transpose",
        description="Joins the heads by view after a transpose: view refuses",
        message="You transpose the heads back and then call `view`, which refuses: it never moves "
        "numbers, and after a transpose they lie in another order. Which relative of `view` "
        "copies them if it has to?",
        source=REFERENCE.replace("x.transpose(1, 2).reshape", "x.transpose(1, 2).view"),
    ),
    Variant(
        tag="multi-head-keys-cut-with-the-length-of-the-queries",
        description="Splits keys and values with n_q for their length",
        message="You split keys and values with the length of the queries. In self-attention the "
        "two agree; here there may be more keys than queries. Where does a `view` of the keys "
        "find their own length?",
        source=REFERENCE.replace(
            "        Q, K, V = self.split(Q), self.split(K), self.split(V)",
            (
                "        sizes = (len(query), query.shape[1], self.n_heads, self.d_head)\n"
                "        Q, K, V = (x.view(sizes).transpose(1, 2) for x in (Q, K, V))"
            ),
        ),
    ),
)

WRONG_SCALE = (
    Variant(
        tag="multi-head-not-scaled",
        description="Doesn't divide the scores by the root of d_head",
        message="Your scores go into softmax just as the products come out, so the wider a head "
        "is, the more it clings to a single key. Your SelfAttention has one step between product "
        "and softmax: it is needed here as well.",
        edits={" / math.sqrt(self.d_head)": ""},
    ),
    Variant(
        tag="multi-head-scaled-by-d-head",
        description="Divides the scores by d_head instead of its root",
        message="Your weights are too even: the scores are divided by d_head as it is, or twice "
        "over. Equation 1 divides by something smaller. Compare what stands under its fraction "
        "line with yours.",
        edits={"math.sqrt(self.d_head)": "self.d_head"},
    ),
    Variant(
        tag="multi-head-scaled-by-d-model",
        description="Divides the scores by the root of d_model instead of d_head",
        message="Your scale would be right for one head that has all columns. Here each head sees "
        "its own share alone: over how many features does the product of one query and one key "
        "add up?",
        edits={"math.sqrt(self.d_head)": "math.sqrt(self.d_head * self.n_heads)"},
    ),
    Variant(
        tag="multi-head-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so a head picks "
        "one key and forgets the rest. Dividing by `d_head ** -0.5` does that as well: which of "
        "the two signs that say 'one over' is one too many?",
        source=REFERENCE.replace("/ math.sqrt", "* math.sqrt"),
    ),
    Variant(
        tag="multi-head-scaled-by-number-of-heads",
        description="Divides the scores by the root of n_heads",
        message="Your scale comes from the number of heads. A score is a product of one query and "
        "one key in one head: over how many features does it add up?",
        source=REFERENCE.replace("math.sqrt(self.d_head)", "math.sqrt(self.n_heads)"),
    ),
    Variant(
        tag="multi-head-scaled-by-length",
        description="Divides the scores by the root of the number of keys",
        message="Your scale depends on how many keys there are, so the same two tokens would fit "
        "each other better in a short sentence. A score adds up products of features: how many "
        "does one head have?",
        source=REFERENCE.replace("math.sqrt(self.d_head)", "math.sqrt(key.shape[1])"),
    ),
    Variant(
        tag="multi-head-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after the softmax, so a query's weights no longer sum to 1, and the "
        "scores go into it at full size. In equation 1, is the fraction inside softmax or "
        "outside?",
        source=REFERENCE.replace(" / math.sqrt(self.d_head)", "").replace(
            "dim=-1)", "dim=-1) / math.sqrt(self.d_head)"
        ),
    ),
)

WRONG_SOFTMAX = (
    Variant(
        tag="multi-head-softmax-over-queries",
        description="Softmax along the queries' axis instead of the keys'",
        message="Your softmax runs along the queries, so they compete for each key. It is each "
        "query that shares out its attention among the keys. Your scores have four axes, (batch, "
        "heads, queries, keys): along which one should a sum be 1?",
        edits={"dim=-1)": "dim=-2)"},
    ),
    Variant(
        tag="multi-head-softmax-over-heads",
        description="Softmax along the heads' axis (also F.softmax without a dim)",
        message="Your softmax runs along the heads, so they compete with each other for every pair "
        "of tokens. Each head should have an opinion of its own. If you named no `dim`, torch "
        "chose that axis for you: which of the four holds the keys?",
        source=REFERENCE.replace("dim=-1)", "dim=1)").replace("-math.inf", "-1e9"),
    ),
    Variant(
        tag="multi-head-softmax-over-batch",
        description="Softmax along the batch",
        message="Your softmax runs across the batch, so what a token attends to depends on the "
        "other sentences. Sentences must not know of each other. Your scores have four axes, "
        "(batch, heads, queries, keys): along which one should a sum be 1?",
        source=REFERENCE.replace("dim=-1)", "dim=0)"),
    ),
    Variant(
        tag="multi-head-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even, and hidden keys get their "
        "part again. Which of the two is one too many?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"
        ),
    ),
    Variant(
        tag="multi-head-no-softmax",
        description="Averages with the scores: no softmax, or its result unused",
        message="Your values are multiplied with the scores themselves, which may be negative, "
        "and a query's don't sum to 1, so a head returns no average. Which function turns any "
        "scores into shares, and is its result what meets the values?",
        source=REFERENCE.replace("torch.softmax(scores, dim=-1)", "scores"),
    ),
)

_FILL = "scores = scores.masked_fill(~mask, -math.inf)"

WRONG_MASK = (
    Variant(
        tag="multi-head-mask-inverted",
        description="Takes True in the mask for may not attend",
        message="Your heads look at exactly the keys that the mask hides. In masks that you write, "
        "True means *may attend*; `masked_fill` fills wherever it meets True. How do the two fit "
        "together?",
        edits={_FILL: "scores = scores.masked_fill(mask, -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-without-effect",
        description="Ignores the mask, or drops the result of masked_fill",
        message="With or without a mask, your module answers the same. `masked_fill` leaves the "
        "scores as they are and *returns* new ones; only names that end in an underscore change "
        "things in place. If you use the mask, what becomes of the result?",
        edits={_FILL: "scores.masked_fill(~mask, -math.inf)"},
    ),
    Variant(
        tag="multi-head-hidden-scores-near-zero",
        description="Fills hidden scores with ±1e-9 or 0 (also scores * mask)",
        message="Hidden keys still get attention: their scores become 0, or as good as 0, like "
        "-1e-9 (a minus nine in the exponent makes a number tiny, not low). To softmax, 0 is a "
        "score like any other, as e⁰ = 1. From which scores does e^score all but vanish?",
        edits={_FILL: "scores = scores.masked_fill(~mask, -1e-9)"},
    ),
    Variant(
        tag="multi-head-mask-after-softmax",
        description="Multiplies the weights by the mask: rows no longer sum to 1",
        message="You hide keys after the softmax. By then they have taken their share, and what is "
        "left in a row no longer sums to 1. A hidden key should count as if it had never been "
        "there: when is the last moment to leave it out?",
        edits={_FILL: "pass", "weights @ V": "(weights if mask is None else weights * mask) @ V"},
    ),
    Variant(
        tag="multi-head-mask-times-infinity",
        description="Lets infinity make nan: times the mask, with a plus, or after the softmax",
        message="Your result turns into nan as soon as there is a mask. 0 · ∞ gives nan, and so do "
        "softmax of plus infinity, or an infinite weight. How can *minus* infinity get into the "
        "hidden places alone, before the softmax, without being multiplied by anything?",
        source=REFERENCE.replace(_FILL, "scores = scores + ~mask * -math.inf"),
    ),
    Variant(
        tag="multi-head-mask-gets-an-axis",
        description="Gives every mask one more axis by unsqueeze(1)",
        message="You give every mask one more axis, and then the sizes clash. Masks come ready to "
        "broadcast to (batch, n_heads, n_q, n_k): torch aligns the last axes and makes up the "
        "missing ones in front. What is left for you to do?",
        source=REFERENCE.replace(_FILL, _FILL.replace("~mask", "~mask.unsqueeze(1)")),
    ),
    Variant(
        tag="multi-head-hidden-scores-high",
        description="Fills hidden scores with +1e9 instead of -1e9",
        message="Your heads look at the hidden keys and at nothing else: they get the highest "
        "score of all. To softmax a large number is a good one. Which sign does a score need that "
        "should count for nothing?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask, 1e9)",
        ),
    ),
    Variant(
        tag="multi-head-hidden-scores-minus-one",
        description="Fills hidden scores with -1",
        message="Hidden keys still get attention: -1 is a score like any other, and some visible "
        "ones may be lower. From which scores does e^score all but vanish, whatever the others "
        "are?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask, -1)",
        ),
    ),
    Variant(
        tag="multi-head-hidden-scores-minus-ten",
        description="Fills hidden scores with -10",
        message="Hidden keys still get a little attention: e^-10 is small, but not nothing, and "
        "some visible scores may be nearly as low. From which scores does e^score vanish "
        "altogether?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask, -10)",
        ),
    ),
    Variant(
        tag="multi-head-mask-added-as-a-number",
        description="Adds the mask to the scores: visible ones gain 1",
        message="You add the mask to the scores, where True counts as 1: visible keys gain one "
        "point, and hidden ones go on as if nothing had happened. What has to be added to a "
        "score, so that softmax makes 0 of it?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + mask"
        ),
    ),
    Variant(
        tag="multi-head-mask-subtracted-from-one",
        description="Computes 1 - mask: torch doesn't subtract booleans",
        message="`1 - mask` fails: torch doesn't subtract booleans. To turn a boolean tensor "
        "round there is an operator of its own; the error names it. Which?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + (1 - mask) * -1e9"
        ),
    ),
    Variant(
        tag="multi-head-mask-after-softmax-filled",
        description="Fills hidden weights with -1e9 after the softmax",
        message="You fill the hidden places after the softmax, so a weight becomes minus a "
        "billion, and the result explodes. Such a number belongs among the scores, where softmax "
        "still makes 0 of it. When is the last moment for that?",
        source=REFERENCE.replace("scores = scores.masked_fill(~mask, -math.inf)", "pass").replace(
            "weights @ V", ("(weights if mask is None else weights.masked_fill(~mask, -1e9)) @ V")
        ),
    ),
    Variant(
        tag="multi-head-mask-gets-an-axis-for-heads",
        description="Gives masks of three axes a fourth for the heads",
        message="You take a mask of three axes for (batch, n_q, n_k) and put in an axis for the "
        "heads. Masks come ready to broadcast: aligned from the last axis, three of them are "
        "(n_heads, n_q, n_k). What is left for you to do?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            (
                "mask = mask.unsqueeze(1) if mask.dim() == 3 else mask\n"
                "            scores = scores.masked_fill(~mask, -math.inf)"
            ),
        ),
    ),
    Variant(
        tag="multi-head-mask-gets-two-axes",
        description="Gives every mask two more axes in front",
        message="You give every mask two more axes in front. `(n_q, n_k)` doesn't need them, "
        "since torch makes up missing axes in front by itself, and a mask of four axes ends with "
        "six. What is left for you to do?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask[None, None], -math.inf)",
        ),
    ),
    Variant(
        tag="multi-head-mask-taken-for-rows-of-sentences",
        description="Takes every mask for (batch, n_k)",
        message="You take every mask for one row of keys per sentence, and spread it by `[:, "
        "None, None, :]`. A mask of two axes is (n_q, n_k) here; the other one comes as (batch, "
        "1, 1, n_k). Both broadcast as they are: what is left for you to do?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask[:, None, None, :], -math.inf)",
        ),
    ),
    Variant(
        tag="multi-head-flat-mask-taken-for-rows-of-sentences",
        description="Takes a mask of two axes for (batch, n_k)",
        message="You take a mask of two axes for one row of keys per sentence, and put two axes "
        "between. Here it is (n_q, n_k), one mask for everybody, and broadcasts as it is. What is "
        "left for you to do?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            (
                "mask = mask[:, None, None, :] if mask.dim() == 2 else mask\n"
                "            scores = scores.masked_fill(~mask, -math.inf)"
            ),
        ),
    ),
    Variant(
        tag="multi-head-mask-transposed",
        description="Transposes the mask: queries and keys change places",
        message="You transpose the mask, so that its rows belong to the keys. In your scores, and "
        "in every mask, the last axis is the keys'. Do the two lie in the same way already?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)",
        ),
    ),
    Variant(
        tag="multi-head-mask-in-first-head-only",
        description="Applies the mask to the first head alone",
        message="Only your first head obeys the mask; the others look at hidden keys. A mask of "
        "(n_q, n_k) is for everybody: what does broadcasting make of its missing axes, if you let "
        "it?",
        source=REFERENCE.replace(
            "scores = scores.masked_fill(~mask, -math.inf)",
            (
                "hidden = scores.masked_fill(~mask, -1e9)\n"
                "            scores = torch.cat([hidden[:, :1], scores[:, 1:]], dim=1)"
            ),
        ),
    ),
    Variant(
        tag="multi-head-if-mask",
        description="Asks `if mask:`, which has no answer for a tensor",
        message="`if mask:` asks whether the mask is true, and a tensor of many answers has no "
        "single one. You want to know whether there *is* a mask. Which comparison asks for just "
        "that?",
        source=REFERENCE.replace("if mask is not None:", "if mask:"),
    ),
    Variant(
        tag="multi-head-mask-required",
        description="Makes the mask a required argument",
        message="Your `forward` insists on a mask, but without one it should let every query see "
        "every key. How does Python say in the first line that an argument may be left out?",
        source=REFERENCE.replace("mask=None", "mask"),
    ),
    Variant(
        tag="multi-head-always-causal",
        description="Hides later keys, mask or not",
        message="Your queries see only the keys up to their own place, mask or not. That is for a "
        "decoder; here nothing is hidden that the mask doesn't hide, and queries and keys need "
        "not even be the same tokens. Which line made that mask?",
        source=REFERENCE.replace(
            "        weights =",
            (
                "        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), "
                "-math.inf)\n"
                "        weights ="
            ),
        ),
    ),
    Variant(
        tag="multi-head-causal-without-a-mask",
        description="Hides later keys where there is no mask",
        message="Where no mask is given, you hide later keys. No mask means that every query may "
        "attend every key. Who asked for a causal one?",
        source=REFERENCE.replace(
            "        weights =",
            (
                "        else:\n"
                "            scores = "
                "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)\n"
                "        weights ="
            ),
        ),
    ),
)

WRONG_TENSOR = (
    Variant(
        tag="multi-head-no-output-projection",
        description="Doesn't apply W_O",
        message="You return the heads' results side by side, and W_O is never called. So what one "
        "head has found never meets what another has. What stands in front of Concat(…) in the "
        "formula?",
        edits={"self.W_O(context)": "context"},
    ),
    Variant(
        tag="multi-head-values-not-projected",
        description="Doesn't apply W_V",
        message="Your values go into the heads as they came: W_V is never called. Queries and keys "
        "pass through a layer of their own first; what does the formula say of the values?",
        edits={"self.W_V(value)": "value"},
    ),
    Variant(
        tag="multi-head-values-from-key",
        description="Projects key instead of value",
        message="Your values are made from `key`, and `value` is never read. In self-attention the "
        "two are the same tensor, so it goes unnoticed there. Which argument belongs to which "
        "layer?",
        edits={"self.W_V(value)": "self.W_V(key)"},
    ),
    Variant(
        tag="multi-head-everything-from-query",
        description="Makes keys and values from the query",
        message="Your queries look only at where they came from: keys and values are made from "
        "`query`, and two of the arguments are never read. In self-attention that goes unnoticed, "
        "for there all three are the same. Where should one look for what is asked?",
        source=REFERENCE.replace("(key)", "(query)").replace("(value)", "(query)"),
    ),
    Variant(
        tag="multi-head-projections-unused",
        description="Applies none of W_Q, W_K and W_V",
        message="W_Q, W_K and W_V are made but never called, so the heads compare the tokens as "
        "they came, and there is nothing for them to learn. What turns query, key and value into "
        "Q, K and V?",
        source=REFERENCE.replace(
            "self.W_Q(query), self.W_K(key), self.W_V(value)", "query, key, value"
        ),
    ),
    drawn_anew(
        "multi-head",
        REFERENCE.replace("dim=-1)", "dim=-1)\n        weights = F.dropout(weights, 0.1)"),
    ),
    Variant(
        tag="multi-head-queries-not-projected",
        description="Doesn't apply W_Q",
        message="Your queries go into the heads as they came: W_Q is never called. Keys and "
        "values pass through a layer of their own first; what does the exercise say of the "
        "queries?",
        source=REFERENCE.replace("self.W_Q(query)", "query"),
    ),
    Variant(
        tag="multi-head-keys-not-projected",
        description="Doesn't apply W_K",
        message="Your keys go into the heads as they came: W_K is never called. Queries and "
        "values pass through a layer of their own first; what does the exercise say of the keys?",
        source=REFERENCE.replace("self.W_K(key)", "key"),
    ),
    Variant(
        tag="multi-head-keys-through-w-q",
        description="Makes the keys with W_Q as well",
        message="Your keys go through W_Q, and W_K is never called. To look for something and to "
        "be found by something are two jobs, hence two layers. Read your three projections letter "
        "by letter.",
        source=REFERENCE.replace("self.W_K(key)", "self.W_Q(key)"),
    ),
    Variant(
        tag="multi-head-queries-through-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries go through W_K, and W_Q is never called. To look for something and "
        "to be found by something are two jobs, hence two layers. Read your three projections "
        "letter by letter.",
        source=REFERENCE.replace("self.W_Q(query)", "self.W_K(query)"),
    ),
    Variant(
        tag="multi-head-values-through-w-k",
        description="Makes the values with W_K as well",
        message="Your values go through W_K, and W_V is never called. To be found and to have "
        "something to tell are two jobs, hence two layers. Read your three projections letter by "
        "letter.",
        source=REFERENCE.replace("self.W_V(value)", "self.W_K(value)"),
    ),
    Variant(
        tag="multi-head-values-through-w-q",
        description="Makes the values with W_Q as well",
        message="Your values go through W_Q, and W_V is never called. To ask and to have "
        "something to tell are two jobs, hence two layers. Read your three projections letter by "
        "letter.",
        source=REFERENCE.replace("self.W_V(value)", "self.W_Q(value)"),
    ),
    Variant(
        tag="multi-head-one-projection-for-all",
        description="Puts queries, keys and values through W_Q",
        message="Queries, keys and values all go through W_Q; W_K and W_V are never called. To "
        "ask, to be found and to answer are three jobs, hence three layers. Which argument "
        "belongs to which?",
        source=REFERENCE.replace(
            "self.W_Q(query), self.W_K(key), self.W_V(value)",
            "self.W_Q(query), self.W_Q(key), self.W_Q(value)",
        ),
    ),
    Variant(
        tag="multi-head-layers-of-keys-and-values-exchanged",
        description="Puts keys through W_V and values through W_K",
        message="Your keys go through W_V and your values through W_K. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        source=REFERENCE.replace(
            "self.W_Q(query), self.W_K(key), self.W_V(value)",
            "self.W_Q(query), self.W_V(key), self.W_K(value)",
        ),
    ),
    Variant(
        tag="multi-head-layers-of-queries-and-keys-exchanged",
        description="Puts queries through W_K and keys through W_Q",
        message="Your queries go through W_K and your keys through W_Q. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        source=REFERENCE.replace(
            "self.W_Q(query), self.W_K(key), self.W_V(value)",
            "self.W_K(query), self.W_Q(key), self.W_V(value)",
        ),
    ),
    Variant(
        tag="multi-head-keys-and-values-exchanged",
        description="Makes keys of `value` and values of `key`",
        message="Your keys are made of `value` and your values of `key`. In self-attention the "
        "two are the same tensor, so it goes unnoticed there. In which order does `forward` get "
        "its arguments?",
        source=REFERENCE.replace(
            "self.W_Q(query), self.W_K(key), self.W_V(value)",
            "self.W_Q(query), self.W_K(value), self.W_V(key)",
        ),
    ),
    Variant(
        tag="multi-head-keys-from-query",
        description="Makes the keys from the query, or multiplies K Qᵀ: a weight for each query",
        message="A row of your weights has one entry for each *query*, so it doesn't fit the "
        "values. In self-attention the two agree, and it goes unnoticed. Are your keys made from "
        "`key`? And which stands first in the product, queries or keys?",
        source=REFERENCE.replace("self.W_K(key)", "self.W_K(query)"),
    ),
    Variant(
        tag="multi-head-values-from-query",
        description="Makes the values from the query",
        message="Your values are made from `query`, and `value` is never read. In self-attention "
        "the two are the same tensor, so it goes unnoticed there. Which argument belongs to which "
        "layer?",
        source=REFERENCE.replace("self.W_V(value)", "self.W_V(query)"),
    ),
    Variant(
        tag="multi-head-keys-from-value",
        description="Makes the keys from the value",
        message="Your keys are made from `value`, and `key` is never read. Mostly the two are the "
        "same tensor, so it goes unnoticed. Which argument belongs to which layer?",
        source=REFERENCE.replace("self.W_K(key)", "self.W_K(value)"),
    ),
    Variant(
        tag="multi-head-keys-averaged",
        description="Averages the keys instead of the values",
        message="Your weights average the keys. A key says what a token can be found by, a value "
        "what it has to tell once it is found. Which of your three projections has no part in the "
        "result?",
        source=REFERENCE.replace("weights @ V", "weights @ K"),
    ),
    Variant(
        tag="multi-head-weights-transposed",
        description="Averages with the transposed weights",
        message="You turn the weights round before they meet the values. A query's weights are a "
        "row, with one entry a key, and should meet the rows of V. Why is there a transpose?",
        source=REFERENCE.replace("weights @ V", "weights.transpose(-2, -1) @ V"),
    ),
    Variant(
        tag="multi-head-keys-not-transposed",
        description="Multiplies Q and K without a transpose: the sizes clash",
        message="`Q @ K` can't be multiplied: each row of Q has d_head entries, and so should "
        "each column of what it meets. Which two of K's four axes must change places?",
        source=REFERENCE.replace("K.transpose(-2, -1)", "K"),
    ),
    Variant(
        tag="multi-head-keys-transposed-in-the-middle",
        description="Exchanges heads and tokens of K instead of tokens and columns",
        message="`K.transpose(1, 2)` exchanges heads and tokens. By the time of the product the "
        "heads stand second, and what has to change places comes after them. Count from the last "
        "axis: which two?",
        source=REFERENCE.replace("K.transpose(-2, -1)", "K.transpose(1, 2)"),
    ),
    Variant(
        tag="multi-head-all-axes-transposed",
        description="Reverses all four axes of K with K.T",
        message="`K.T` turns all axes round, so the batch comes last and the sizes clash. In "
        "homework 1 there were only two axes to exchange. Which of the four should stay where "
        "they are?",
        source=REFERENCE.replace("K.transpose(-2, -1)", "K.permute(3, 2, 1, 0)"),
    ),
    Variant(
        tag="multi-head-output-projection-twice",
        description="Applies W_O twice",
        message="The result goes through W_O twice. It mixes what the heads have found, and once "
        "is enough. Where else do you call it?",
        source=REFERENCE.replace("self.W_O(context)", "self.W_O(self.W_O(context))"),
    ),
    Variant(
        tag="multi-head-output-projection-of-the-values",
        description="Applies W_O to the values, before the heads attend",
        message="You apply W_O to the values, before the heads have found anything. It is there "
        "to mix what they bring back. What stands inside the brackets of W_O in the formula?",
        source=REFERENCE.replace("self.W_V(value)", "self.W_O(self.W_V(value))").replace(
            "self.W_O(context)", "context"
        ),
    ),
    Variant(
        tag="multi-head-residual-added",
        description="Adds the query to the result",
        message="You add the query to the result. The residual is on its way, but it belongs to "
        "the encoder block, which wraps this module; with both, it would count twice. Where does "
        "the formula end?",
        source=REFERENCE.replace("self.W_O(context)", "query + self.W_O(context)"),
    ),
    Variant(
        tag="multi-head-normalised",
        description="Adds the query and ends with a layer norm",
        message="You add the query and normalise. Both are on their way, but they belong to the "
        "encoder block, which wraps this module. Where does the formula end?",
        source=REFERENCE.replace(
            "self.W_O(context)", "F.layer_norm(query + self.W_O(context), query.shape[-1:])"
        ),
    ),
    Variant(
        tag="multi-head-rounded",
        description="Rounds the result to three decimals",
        message="You round the result. For reading that is nice, but the next layer has lost the "
        "rest of the digits, and nothing can be learnt through a rounding. Who should round, and "
        "when?",
        source=REFERENCE.replace("return output", "return output.round(decimals=3)"),
    ),
)

WRONG_CONSTRUCTION = (
    Variant(
        tag="multi-head-indivisible-accepted",
        description="Doesn't refuse a d_model that n_heads doesn't divide",
        message="You accept 10 columns for 3 heads, though they can't be shared out equally. Such "
        "a mistake should be reported when the module is made, not by strange shapes later on. "
        "Which test tells whether one number divides another?",
        edits={"if d_model % n_heads != 0:": "if False:"},
    ),
    Variant(
        tag="multi-head-one-head-wide-layers",
        description="Makes W_Q, W_K and W_V as wide as one head, shared by all",
        message="Your layers have the width of a single head. Then all heads share one view, or "
        "there is only one; and the weights can't be set, so nothing else could be tested. How "
        "many columns do all heads need together?",
        source=REFERENCE.replace(
            "nn.Linear(d_model, d_model)", "nn.Linear(self.d_head, self.d_head)"
        ),
    ),
    other_names("multi-head", "W_Q", REFERENCE.replace("self.W_", "self.w_")),
    Variant(
        tag="multi-head-indivisible-asserted",
        description="Refuses an indivisible d_model by an AssertionError",
        message="You do refuse columns that the heads can't share, but by an `assert`. A caller "
        "who wants to catch this needs the error that the exercise names. Which statement throws "
        "an error of your choice?",
        source=REFERENCE.replace(
            'raise ValueError("n_heads doesn\'t divide d_model")',
            'raise AssertionError("n_heads doesn\'t divide d_model")',
        ),
    ),
    Variant(
        tag="multi-head-indivisible-another-error",
        description="Refuses an indivisible d_model by another exception",
        message="You do refuse columns that the heads can't share, but by an exception of another "
        "kind. A caller catches errors by their kind: which one does the exercise name?",
        source=REFERENCE.replace(
            'raise ValueError("n_heads doesn\'t divide d_model")',
            'raise Exception("n_heads doesn\'t divide d_model")',
        ),
    ),
    Variant(
        tag="multi-head-indivisible-runtime-error",
        description="Refuses an indivisible d_model by a RuntimeError",
        message="You do refuse columns that the heads can't share, but by a RuntimeError. A "
        "caller catches errors by their kind: which one does the exercise name?",
        source=REFERENCE.replace(
            'raise ValueError("n_heads doesn\'t divide d_model")',
            'raise RuntimeError("n_heads doesn\'t divide d_model")',
        ),
    ),
    Variant(
        tag="multi-head-narrow-layers",
        description="Makes W_Q, W_K and W_V with d_head outputs",
        message="Your layers lead to the width of a single head, so there is only one, or all "
        "share a view; and the weights can't be set, so nothing else could be tested. How many "
        "columns do all heads need together?",
        source=REFERENCE.replace(
            "self.W_Q = nn.Linear(d_model, d_model)", "self.W_Q = nn.Linear(d_model, self.d_head)"
        )
        .replace(
            "self.W_K = nn.Linear(d_model, d_model)", "self.W_K = nn.Linear(d_model, self.d_head)"
        )
        .replace(
            "self.W_V = nn.Linear(d_model, d_model)", "self.W_V = nn.Linear(d_model, self.d_head)"
        ),
    ),
    Variant(
        tag="multi-head-a-layer-for-each-head",
        description="Makes W_Q a list with one small layer for each head",
        message="You make a list of small layers, one for each head. That works, but the exercise "
        "asks for one layer that serves all heads at once: as it is, the weights can't be set, "
        "and nothing else could be tested. How wide must it be?",
        source=REFERENCE.replace(
            "self.W_Q = nn.Linear(d_model, d_model)",
            ("self.W_Q = nn.ModuleList(nn.Linear(d_model, self.d_head) for _ in range(n_heads))"),
        ),
    ),
    Variant(
        tag="multi-head-no-output-layer",
        description="Has no attribute W_O: another name, or never made",
        message="Your module has no attribute `W_O`, so its weights can't be set, and nothing "
        "else could be tested. Capitals and underscores count. Which four layers does the "
        "exercise name?",
        source=REFERENCE.replace("self.W_O", "self.out_proj"),
    ),
    no_bias(
        "multi-head",
        "W_Q",
        REFERENCE.replace("Linear(d_model, d_model)", "Linear(d_model, d_model, bias=False)"),
    ),
    Variant(
        tag="multi-head-no-output-bias",
        description="Makes W_O without bias",
        message="Your W_O has no bias, while the exercise asks for `nn.Linear` as it comes, and "
        "so nothing else could be tested. Which of its arguments do you set?",
        source=REFERENCE.replace(
            "self.W_O = nn.Linear(d_model, d_model)",
            "self.W_O = nn.Linear(d_model, d_model, bias=False)",
        ),
    ),
    Variant(
        tag="multi-head-super-missing",
        description="Doesn't call super().__init__()",
        message="Your `__init__` doesn't call the one of nn.Module, which prepares the place "
        "where layers are kept, so the first layer finds none. Which line of the given stub has "
        "gone?",
        source=REFERENCE.replace("        super().__init__()\n", ""),
    ),
    Variant(
        tag="multi-head-built-in-function",
        description="Calls F.scaled_dot_product_attention or its like",
        message="You let PyTorch's own function attend. It is switched off here, for this part is "
        "about the wheels inside: a product, a scale, a mask, a softmax, another product. You "
        "have built most of it once, in SelfAttention.",
        source=_FORBIDDEN
        + REFERENCE.replace("scores = Q @", _NOT_ALLOWED + "\n        scores = Q @"),
    ),
    Variant(
        tag="multi-head-built-in-layer",
        description="Wraps nn.MultiheadAttention",
        message="You wrap PyTorch's own nn.MultiheadAttention. It is switched off here, for this "
        "part is about the wheels inside; from part 5 on you may use it. Which layers does the "
        "exercise name, and what happens between them?",
        source=_FORBIDDEN
        + REFERENCE.replace(
            "        super().__init__()", "        super().__init__()\n        " + _NOT_ALLOWED
        ),
    ),
)

WRONG_RESULT = (
    Variant(
        tag="multi-head-weights-returned-too",
        description="Returns (output, weights) where the output alone is asked for",
        message="You return a pair, as SelfAttention does. This exercise asks for the output "
        "alone: one tensor of shape (batch, n_q, d_model).",
        source=REFERENCE.replace("return output", "return output, weights"),
    ),
    Variant(
        tag="multi-head-mean-weights-returned-too",
        description="Returns (output, weights averaged over the heads)",
        message="You return a pair, as PyTorch's own layer does. This exercise asks for the "
        "output alone: one tensor of shape (batch, n_q, d_model).",
        source=REFERENCE.replace("return output", "return output, weights.mean(dim=1)"),
    ),
    Variant(
        tag="multi-head-weights-returned-first",
        description="Returns (weights, output) where the output alone is asked for",
        message="You return a pair, as homework 1 did. This exercise asks for the output alone: "
        "one tensor of shape (batch, n_q, d_model).",
        source=REFERENCE.replace("return output", "return weights, output"),
    ),
    nothing_returned("multi-head", REFERENCE.replace("return output", "output")),
)

MISCONCEPTIONS = (
    *WRONG_HEADS,
    *WRONG_SCALE,
    *WRONG_SOFTMAX,
    *WRONG_MASK,
    *WRONG_TENSOR,
    *WRONG_CONSTRUCTION,
    *WRONG_RESULT,
)
