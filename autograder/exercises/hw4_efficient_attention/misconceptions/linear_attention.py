"""What learners get wrong in linear_attention."""

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
def linear_attention(Q, K, V):
    phi_Q = F.elu(Q) + 1
    phi_K = F.elu(K) + 1
    summary = phi_K.transpose(1, 2) @ V
    numerator = phi_Q @ summary
    total = phi_K.sum(dim=1).unsqueeze(-1)
    normaliser = phi_Q @ total
    return numerator / normaliser
"""


def other_features(slug: str, features: str, description: str, message: str) -> Variant:
    """Make both features with another function; `features` writes it with `x` for its argument."""
    edits = {f"F.elu({name}) + 1": features.replace("x", name) for name in "QK"}
    return Variant(f"linear-{slug}", description, message, edits)


WRONG_FEATURES = (
    other_features(
        "no-plus-one",
        "F.elu(x)",
        "Uses elu without adding 1",
        "Your features are those of `elu` alone, which goes down to −1: similarities become "
        "negative, and the sum below the line may be 0. What is added to lift φ above 0?",
    ),
    other_features(
        "relu",
        "F.relu(x)",
        "Uses ReLU as feature map",
        "Your features are those of ReLU: everything negative becomes 0, and a query with negative "
        "entries alone divides 0 by 0. The φ of the exercise is positive everywhere. How does it "
        "continue to the left of 0?",
    ),
    other_features(
        "relu-plus-one",
        "F.relu(x) + 1",
        "Uses ReLU plus one as feature map",
        "To the right of 0 your features are right; to the left they stay at 1, however negative "
        "the entry. `relu` and `elu` differ by more than a letter: which one falls towards 0?",
    ),
    other_features(
        "plus-one-inside",
        "F.elu(x + 1)",
        "Adds the 1 inside: elu(x + 1)",
        "You add the 1 to the entry, before `elu`, so features can still be negative. In φ the 1 "
        "is added to what `elu` returns. Where do the brackets close?",
    ),
    other_features(
        "exponential",
        "torch.exp(x)",
        "Uses the exponential as feature map",
        "Your features are exponentials everywhere. To the left of 0 that is φ; to the right φ "
        "grows as a straight line. What is φ(2) in the picture?",
    ),
    Variant(
        tag="linear-softmax-features",
        description="Uses softmax over the features of each token as feature map",
        message="You make features with a softmax, so the entries of a token compete with each "
        "other. Here φ treats each entry by itself, and there is no softmax anywhere: the division "
        "at the end takes its place.",
        edits={
            "F.elu(Q) + 1": "torch.softmax(Q, dim=-1)",
            "F.elu(K) + 1": "torch.softmax(K, dim=-1)",
        },
    ),
    Variant(
        tag="linear-keys-without-features",
        description="Only queries go through the feature map, keys do not",
        message="Your queries go through φ, your keys don't, so similarities can be negative. The "
        "similarity is a product of *two* features. Where are those of the keys?",
        edits={"F.elu(K) + 1": "K"},
    ),
    Variant(
        tag="linear-queries-without-features",
        description="Only keys go through the feature map, queries do not",
        message="Your keys go through φ, your queries don't, so similarities can be negative. The "
        "similarity is a product of *two* features. Where are those of the queries?",
        edits={"F.elu(Q) + 1": "Q"},
    ),
    Variant(
        tag="linear-values-with-features",
        description="The values go through the feature map as well",
        message="Your values go through φ as well, so what is averaged is no longer what the "
        "tokens have to say. In equation 4, which of the three letters have a φ around them?",
        edits={"@ V": "@ (F.elu(V) + 1)"},
    ),
    Variant(
        tag="linear-scaled-before-features",
        description="Divides the queries by the root of d before the feature map",
        message="You divide by √d before φ. In softmax attention that tames the exponential; "
        "equation 4 has none, and nothing is scaled. Try d = 1 and d = 4 on the same query.",
        edits={"F.elu(Q)": "F.elu(Q / math.sqrt(Q.shape[-1]))"},
    ),
    Variant(
        tag="linear-both-scaled-before-features",
        description="Divides queries and keys by the fourth root of d before the feature map",
        message="You divide both queries and keys before φ, so that their product is divided by "
        "√d. In softmax attention that tames the exponential; equation 4 has none, and nothing is "
        "scaled.",
        edits={
            "F.elu(Q)": "F.elu(Q / Q.shape[-1] ** 0.25)",
            "F.elu(K)": "F.elu(K / Q.shape[-1] ** 0.25)",
        },
    ),
)

WRONG_NORMALISER = (
    Variant(
        tag="linear-no-normaliser",
        description="Returns the numerator: nothing is divided",
        message="Your result grows with the number of keys: it is the part above the line, and "
        "nothing divides it. Weights should sum to 1 for each query. What stands below the line of "
        "equation 4?",
        edits={"numerator / normaliser": "numerator"},
    ),
    Variant(
        tag="linear-divided-by-n",
        description="Divides by the number of tokens instead of the sum of similarities",
        message="You divide by the number of tokens, as if all similarities were 1. What a query's "
        "weights have to be divided by is *their* sum, and each query has its own.",
        edits={"/ normaliser": "/ Q.shape[1]"},
    ),
    Variant(
        tag="linear-normaliser-of-mean-keys",
        description="The normaliser takes the mean of the keys' features instead of the sum",
        message="Your result is n times too large: above the line you add up over all keys, below "
        "it you take their mean. The two have to match. Which of them is wrong?",
        edits={"phi_K.sum(dim=1)": "phi_K.mean(dim=1)"},
    ),
    Variant(
        tag="linear-normaliser-without-query",
        description="Divides by the sum of the keys' features, feature by feature: no query in it",
        message="Below the line you have the sum of the keys' features, and the query isn't in it. "
        "So columns of the result are divided by what belongs to other columns. Which sum makes "
        "the *weights* of a query add up to 1?",
        edits={"phi_Q @ total": "total.transpose(1, 2)"},
    ),
    Variant(
        tag="linear-normaliser-over-features",
        description="Divides by the sum over the features of each token's own key",
        message="You add up over the *features* of one key, so each row is divided by something of "
        "its own key. Equation 4 adds up over all *keys*, j. Which axis is that?",
        edits={"phi_Q @ total": "phi_K.sum(dim=-1, keepdim=True)"},
    ),
    Variant(
        tag="linear-normaliser-over-queries",
        description="Adds up the similarities over queries instead of keys",
        message="Below the line you add up over queries: how much a *key* is looked at by all. But "
        "a query shares out its attention among keys. Over which of i and j does equation 4 add?",
        edits={
            "phi_K.sum(dim=1).unsqueeze(-1)": "phi_Q.sum(dim=1).unsqueeze(-1)",
            "phi_Q @ total": "phi_K @ total",
        },
    ),
    Variant(
        tag="linear-normalised-over-result",
        description="Divides each row of the result by its own sum",
        message="You make each row of the *result* sum to 1. It is the weights of a query that "
        "have to sum to 1, and those never appear as such: equation 4 has their sum below the "
        "line.",
        edits={"/ normaliser": "/ numerator.sum(dim=-1, keepdim=True)"},
    ),
    Variant(
        tag="linear-scaled-above-the-line",
        description="Divides the numerator alone by the root of d",
        message="Your result is smaller than an average of values can be: above the line you "
        "divide by √d, and below it you don't. Equation 4 scales nothing.",
        edits={"phi_Q @ summary": "phi_Q @ summary / math.sqrt(Q.shape[-1])"},
    ),
    *(
        Variant(
            tag=f"linear-epsilon-{epsilon}",
            description=f"Adds {epsilon} to the normaliser",
            message="You add a small constant below the line. φ is positive, so it isn't needed; "
            "and where features are tiny, the sum itself is no larger than your constant, which "
            "then takes a good part of the result away.",
            edits={"/ normaliser": f"/ (normaliser + {epsilon})"},
        )
        for epsilon in ("1e-5", "1e-6", "1e-8")
    ),
    Variant(
        tag="linear-normaliser-clamped",
        description="Keeps the normaliser above 1e-6",
        message="You don't let the sum below the line fall under a small constant. φ is positive, "
        "so nothing has to be guarded; and where features are tiny, the true sum is smaller than "
        "your bound.",
        edits={"normaliser = phi_Q @ total": "normaliser = (phi_Q @ total).clamp(min=1e-6)"},
    ),
)

WRONG_PRODUCT = (
    Variant(
        tag="linear-causal",
        description="Adds up keys and values up to each token only: causal linear attention",
        message="Your queries see only what came before them: running sums (`cumsum`) make linear "
        "attention causal. Here every query attends to every key, later ones too, so one sum "
        "serves all.",
        source="""\
def linear_attention(Q, K, V):
    phi_Q, phi_K = F.elu(Q) + 1, F.elu(K) + 1
    summaries = torch.einsum("bnd,bne->bnde", phi_K, V).cumsum(dim=1)
    numerator = torch.einsum("bnd,bnde->bne", phi_Q, summaries)
    return numerator / (phi_Q * phi_K.cumsum(dim=1)).sum(dim=-1, keepdim=True)
""",
    ),
    Variant(
        tag="linear-softmax-attention",
        description="Computes softmax attention: no feature map at all",
        message="Your result is that of softmax attention, the exponential included. It is what "
        "linear attention replaces: where in your function is φ?",
        source="def linear_attention(Q, K, V):\n    return full_attention(Q, K, V)\n",
    ),
    Variant(
        tag="linear-softmax-of-similarities",
        description="Applies a softmax to the similarities of the features",
        message="You put the similarities φ(q)·φ(k) through a softmax. They are weights already, "
        "but for a division by their sum; the exponential is what linear attention does without.",
        source="""\
def linear_attention(Q, K, V):
    similarities = (F.elu(Q) + 1) @ (F.elu(K) + 1).transpose(1, 2)
    return torch.softmax(similarities, dim=-1) @ V
""",
    ),
    Variant(
        tag="linear-summary-transposed",
        description="Multiplies the values with the keys: the summary is transposed",
        message="Your summary is transposed: rows for features of the values, columns for features "
        "of the keys. It has the right shape, since both are d. Write the sizes below equation 6: "
        "which axis of the summary does a query meet?",
        edits={"phi_K.transpose(1, 2) @ V": "V.transpose(1, 2) @ phi_K"},
    ),
    Variant(
        tag="linear-keys-not-transposed",
        description="Multiplies keys and values without a transpose: the sizes clash",
        message="`phi_K @ V` can't be multiplied: a row of φ(K) has d entries, a column of V has "
        "n. The sum in equation 5 runs over the tokens j. So which axis has to meet which?",
        edits={"phi_K.transpose(1, 2)": "phi_K"},
    ),
    Variant(
        tag="linear-queries-and-keys-swapped",
        description="Queries and keys have changed places",
        message="Queries and keys have changed places: your summary is made of queries, and each "
        "key reads from it. What is summed up over all tokens are keys and values, and who asks is "
        "a query.",
        edits={"linear_attention(Q, K, V)": "linear_attention(K, Q, V)"},
        pairs=False,
    ),
    Variant(
        tag="linear-averages-the-keys",
        description="The summary is made of keys alone: the values are never used",
        message="Your function never uses V: the summary is made of keys and keys. What a token "
        "hands over when it is found are its *values*.",
        edits={"@ V": "@ K"},
    ),
    Variant(
        tag="linear-changes-its-input",
        description="Applies elu in place: the caller's queries and keys are changed",
        message="Your values are right, but the caller's Q and K are no longer what they were: "
        "`inplace=True`, `+=` and functions whose names end with `_` write into the tensor that "
        "was handed to you.",
        edits={"F.elu(Q)": "F.elu(Q, inplace=True)", "F.elu(K)": "F.elu(K, inplace=True)"},
    ),
    Variant(
        tag="linear-nothing-returned",
        description="Computes, but returns nothing",
        message="Your function returns None, though it computes something. A function hands back "
        "what follows `return`: is yours there, on every way through it?",
        edits={"return numerator / normaliser": "numerator / normaliser"},
        pairs=False,
    ),
)

MISCONCEPTIONS = (*WRONG_FEATURES, *WRONG_NORMALISER, *WRONG_PRODUCT)
