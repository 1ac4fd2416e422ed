"""What learners get wrong in MultiHeadAttention: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ... import recurring

MISCONCEPTIONS = (
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
        "its own share alone. What counts is how many features the product of one query and one "
        "key adds up.",
        edits={"math.sqrt(self.d_head)": "math.sqrt(self.d_head * self.n_heads)"},
    ),
    Variant(
        tag="multi-head-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so a head picks "
        "one key and forgets the rest. Dividing by `d_head ** -0.5` does that as well: which of "
        "the two signs that say 'one over' is one too many?",
        edits={"/ math.sqrt": "* math.sqrt"},
    ),
    Variant(
        tag="multi-head-scaled-on-one-side",
        description="Divides by the fourth root of d_head (queries scaled, keys not)",
        message=recurring.SCALED_ON_ONE_SIDE,
        edits={"math.sqrt(self.d_head)": "self.d_head**0.25"},
    ),
    Variant(
        tag="multi-head-scaled-by-number-of-heads",
        description="Divides the scores by the root of n_heads",
        message="Your scale comes from the number of heads. A score is a product of one query and "
        "one key in one head. What counts is how many features that product adds up.",
        edits={"math.sqrt(self.d_head)": "math.sqrt(self.n_heads)"},
    ),
    Variant(
        tag="multi-head-scaled-by-length",
        description="Divides the scores by the root of the number of keys",
        message="Your scale depends on how many keys there are, so the same two tokens would fit "
        "each other better in a short sentence. A score adds up products of features: how many "
        "does one head have?",
        edits={"math.sqrt(self.d_head)": "math.sqrt(key.shape[1])"},
    ),
    Variant(
        tag="multi-head-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after the softmax, so a query's weights no longer sum to 1, and the "
        "scores go into it at full size. Look where the bracket of softmax closes in equation 1.",
        edits={" / math.sqrt(self.d_head)": "", "dim=-1)": "dim=-1) / math.sqrt(self.d_head)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Eight columns in two heads, so each head has four. Only the first head has something to do: its
query is (2, 0, 0, 0), and the keys of the two tokens are (1.1, 0, 0, 0) and zeros; e^1.1 = 3.

The dot products are 2 · 1.1 = 2.2 and 0. In a head, a dot product adds up four terms, not eight,
so it is divided by √4 = 2: the scores are 1.1 and 0.

Softmax: 3 + 1 = 4, so the weights are 3/4 = 0.75 and 1/4 = 0.25. The values are 4 and 0, and the
result is 0.75 · 4 + 0.25 · 0 = 3.

Undivided, it would be 3.6. Is yours larger than 3, or smaller? How many terms has a product in your
heads, and which number says so?""",
        """\
attention = MultiHeadAttention(8, 2)
for layer in (attention.W_Q, attention.W_K, attention.W_V, attention.W_O):
    layer.weight.data, layer.bias.data = torch.eye(8), torch.zeros(8)
query, key, value = torch.zeros(1, 1, 8), torch.zeros(1, 2, 8), torch.zeros(1, 2, 8)
query[..., 0], key[0, 0, 0], value[0, 0, 0] = 2.0, 1.0986, 4.0
attention(query, key, value)[0, 0, 0]""",
        3.0,
    ),
)
