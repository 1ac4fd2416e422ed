"""What learners get wrong in self_attention: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ....roots import whole_roots
from ...recurring import divided_by, misread_powers

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the dot products come out. With long keys "
        "they are large, and softmax gives nearly everything to one token. One step of equation 1 "
        "stands between the product and softmax.",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="self-attention-root-forgotten",
        description="Divides by d_k: the root is missing, or the scaling is done twice",
        message="The scores are divided by a whole size, where equation 1 divides by something "
        "smaller, so your weights come out too even. Is a root missing? Or do you divide, and "
        "then call a function that divides again?",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="self-attention-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so your softmax "
        "picks one token and forgets the rest. On which side of the line does the root stand in "
        "equation 1, and on which does it end up in your code, be it as a factor, a power or a "
        "fraction?",
        edits={"/ np.sqrt(d_k)": "* np.sqrt(d_k)"},
    ),
    Variant(
        tag="self-attention-scale-d-model",
        description="Takes the scale from d_model instead of d_k",
        message="Your scale comes from d_model, the number of features of a token. But a score is "
        "a dot product of a query and a key: over how many terms does that add up, once the "
        "projection is made?",
        edits={"K.shape[1]": "X.shape[1]"},
    ),
    Variant(
        tag="self-attention-scale-number-of-tokens",
        description="Takes the scale from the number of tokens instead of d_k",
        message="Your scale depends on how many tokens there are, where it should depend on how "
        "long a key is. Each token has a row: does what you take count the rows, or the entries "
        "of one?",
        edits={"K.shape[1]": "len(X)"},
    ),
    Variant(
        tag="self-attention-scale-size-of-values",
        description="Takes the scale from the size of the values d_v instead of d_k",
        message="Your scale comes from the size of the values. But a score is a dot product of a "
        "query and a key, and no value has touched it yet. What counts is how many terms that "
        "product adds up.",
        edits={"K.shape[1]": "W_V.shape[1]"},
    ),
    Variant(
        tag="self-attention-scaled-three-times",
        description="Scales queries, keys and then the scores as well",
        message="You divide the queries, the keys, and (perhaps in an earlier function) their "
        "product: the scores shrink far too much, and the weights come out nearly even. √d_k "
        "stands in equation 1 only once.",
        edits={"np.sqrt(d_k)": "d_k**1.5"},
    ),
    Variant(
        tag="self-attention-scale-of-the-example",
        description="Divides by √3, the d_k of the notebook's three words",
        message="You divide by the root of 3, which is the d_k of the notebook's three words. "
        "Here d_k may be anything; it is a size of arrays that you are given. Of which, and along "
        "which axis?",
        edits={"np.sqrt(d_k)": "np.sqrt(3)"},
    ),
    Variant(
        tag="self-attention-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after softmax, so a token's weights no longer sum to 1, and the scores "
        "still go into softmax at full size. Look where the bracket of softmax closes in equation "
        "1.",
        edits={
            " / np.sqrt(d_k)": "",
            "    context =": "    weights = weights / np.sqrt(d_k)\n    context =",
        },
    ),
    *misread_powers("self-attention"),
    *whole_roots("self-attention", "np.sqrt(d_k)", "d_k"),
    divided_by("self-attention", "of-the-check", 2, "in the visible check"),
    Variant(
        tag="self-attention-cosine",
        description="Divides queries and keys by their lengths (cosine) instead of using √d_k",
        message="You divide each query and each key by its length, so that only their directions "
        "are compared. That is another kind of attention; in equation 1 a long key counts for "
        "more, and one number divides all scores alike.",
        edits={
            "Q @ K.T / np.sqrt(d_k)": (
                "Q @ K.T / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)"
            )
        },
    ),
    Variant(
        tag="self-attention-cosine-scaled",
        description="Divides queries and keys by their lengths (cosine), and by √d_k as well",
        message="You divide each query and each key by its length, so that only their directions "
        "are compared. That is another kind of attention; in equation 1 a long key counts for "
        "more, and the root of d_k is all that divides.",
        edits={
            "Q @ K.T": "Q @ K.T / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)"
        },
    ),
    Variant(
        tag="self-attention-scale-width-of-all",
        description="Divides by the root of the columns of all three matrices together",
        message="Your scale counts the columns of all three matrices together, as if queries, keys "
        "and values were one array. A score is a dot product of one query and one key: over how "
        "many terms does that add up?",
        edits={"np.sqrt(d_k)": "np.sqrt(2 * d_k + V.shape[1])"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens of two features, (1, 0) and (0, 1), with queries and keys of four entries and values of
one: all sizes differ, so each possible scale gives other weights.

The first token's query is (2, 0, 0, 0), and the keys are (0, 0, 0, 0) and (1.1, 0, 0, 0), where
e^1.1 = 3.

The dot products are 0 and 2 · 1.1 = 2.2. A dot product of queries and keys adds up four terms, so
it is divided by √4 = 2: the scores are 0 and 2.2/2 = 1.1.

The weights are 1/4 = 0.25 and 3/4 = 0.75.

The second token's query holds zeros, so it looks at both alike, whatever the scale.

Is the 0.75 larger in yours, or smaller? Which size did you take, and how many terms has a dot
product?""",
        """\
X, W_Q = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0, 0.0, 0.0], [0.0] * 4])
W_K, W_V = np.log([[1.0, 1.0, 1.0, 1.0], [3.0, 1.0, 1.0, 1.0]]), np.array([[4.0], [0.0]])
self_attention(X, W_Q, W_K, W_V)[0]""",
        [[0.25, 0.75], [0.5, 0.5]],
    ),
    WorkedExample(
        """
Two tokens, (1, 0) and (1, 1), whose queries and keys have a single entry. Nothing but the scale
can go wrong at this size.

The first token's query is 1, and the keys are 0 and 1.1, where e^1.1 = 3. Each dot product is a
single term: 1 · 0 = 0 and 1 · 1.1 = 1.1.

Keys have one entry, so the scores are divided by √1 = 1, which leaves them as they are.

The weights are 1/4 = 0.25 and 3/4 = 0.75. The second token's query is 0, and finds both keys
alike.

A number that is right in one place may be wrong here. Work backwards from your own weights: by
which number did you divide, and from which size should it come?""",
        """\
X, W_Q = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0], [-1.0]])
W_K, W_V = np.log([[1.0], [3.0]]), np.array([[4.0], [8.0]])
self_attention(X, W_Q, W_K, W_V)[0]""",
        [[0.25, 0.75], [0.5, 0.5]],
    ),
)
