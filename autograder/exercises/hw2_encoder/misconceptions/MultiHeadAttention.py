"""What learners get wrong in MultiHeadAttention."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import drawn_anew, nothing_returned, other_names
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
        description="Multiplies the mask by minus infinity: 0 · ∞ is nan",
        message="Your result turns into nan as soon as there is a mask: where a key may be seen, "
        "you compute 0 · ∞, which is not 0 but undefined. How can minus infinity get into the "
        "hidden places alone, without being multiplied by anything?",
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
)

WRONG_RESULT = (
    Variant(
        tag="multi-head-weights-returned-too",
        description="Returns (output, weights) where the output alone is asked for",
        message="You return a pair, as SelfAttention does. This exercise asks for the output "
        "alone: one tensor of shape (batch, n_q, d_model).",
        source=REFERENCE.replace("return output", "return output, weights"),
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
