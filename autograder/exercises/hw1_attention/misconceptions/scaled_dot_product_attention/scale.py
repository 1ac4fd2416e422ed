"""What learners get wrong in scaled_dot_product_attention: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ....roots import whole_roots
from ...recurring import divided_by, misread_powers

MISCONCEPTIONS = (
    Variant(
        tag="attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the dot products come out. With long keys "
        "they are large, and softmax gives nearly everything to one key. One step of equation 1 "
        "stands between the product and softmax.",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="attention-root-forgotten",
        description="Divides by d_k instead of its root (or by the root twice)",
        message="The scores are divided by a whole size, where equation 1 divides by something "
        "smaller, so your weights come out too even. Is a root missing, or is the division made "
        "twice?",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="attention-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so your softmax "
        "picks one key and forgets the rest. On which side of the line does the root stand in "
        "equation 1, and on which does it end up in your code, be it as a factor, a power or a "
        "fraction?",
        edits={"/ np.sqrt(d_k)": "* np.sqrt(d_k)"},
    ),
    Variant(
        tag="attention-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after softmax, so a query's weights no longer sum to 1, and the scores "
        "still go into softmax at full size. Look where the bracket of softmax closes in equation "
        "1.",
        edits={
            " / np.sqrt(d_k)": "",
            "    context =": "    weights = weights / np.sqrt(d_k)\n    context =",
        },
    ),
    Variant(
        tag="attention-scale-number-of-keys",
        description="Takes the scale from the number of keys instead of their size d_k",
        message="Your scale depends on how many keys there are, where it should depend on how "
        "long each of them is. A key is a row of K: which entry of K.shape is the length of a row?",
        edits={"K.shape[1]": "K.shape[0]"},
    ),
    Variant(
        tag="attention-scale-number-of-queries",
        description="Takes the scale from the number of queries instead of their size d_k",
        message="Your scale depends on how many queries there are, where it should depend on how "
        "long each of them is. A query is a row of Q: which entry of Q.shape is the length of a "
        "row?",
        edits={"K.shape[1]": "Q.shape[0]"},
    ),
    Variant(
        tag="attention-scale-size-of-values",
        description="Takes the scale from the size of the values d_v instead of d_k",
        message="Your scale comes from the size of the values. But a score is a dot product of a "
        "query and a key, and no value has touched it yet. What counts is how many terms that "
        "product adds up.",
        edits={"K.shape[1]": "V.shape[1]"},
    ),
    Variant(
        tag="attention-scale-squared",
        description="Divides by the square of d_k instead of its root",
        message="You square d_k where equation 1 takes its root, so the scores shrink to almost "
        "nothing and every key gets nearly the same weight. The two are opposites.",
        edits={"np.sqrt(d_k)": "d_k**2"},
    ),
    Variant(
        tag="attention-scale-number-of-entries",
        description="Takes the scale from K.size, the number of all entries",
        message="Your scale comes from the number of all entries of a matrix, so it grows with "
        "every key that is added. A score is the product of one query and one key, and what counts "
        "is how many terms that adds up.",
        edits={"K.shape[1]": "K.size"},
    ),
    Variant(
        tag="attention-context-scaled-instead",
        description="Divides the context by the root of d_k instead of the scores",
        message="You divide the context at the end, so the average comes out too small, and the "
        "scores go into softmax at full size. Look where the bracket of softmax closes in equation "
        "1.",
        edits={" / np.sqrt(d_k)": "", "weights @ V": "weights @ V / np.sqrt(d_k)"},
    ),
    Variant(
        tag="attention-cosine",
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
        tag="attention-cosine-scaled",
        description="Divides queries and keys by their lengths (cosine), and by √d_k as well",
        message="You divide each query and each key by its length, so that only their directions "
        "are compared. That is another kind of attention; in equation 1 a long key counts for "
        "more, and the root of d_k is all that divides.",
        edits={
            "Q @ K.T": "Q @ K.T / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)"
        },
    ),
    *whole_roots("attention", "np.sqrt(d_k)", "d_k"),
    Variant(
        tag="attention-scaled-before-and-after-softmax",
        description="Divides by the root before softmax and once more after it",
        message="The scores are scaled as they should be, but the weights are divided as well, so "
        "a query's no longer sum to 1. In equation 1 the fraction stands in one place.",
        edits={"    context =": "    weights = weights / np.sqrt(d_k)\n    context ="},
    ),
    *misread_powers("attention"),
    divided_by("attention", "of-the-check", 2, "in the visible check"),
    divided_by("attention", "of-the-paper", 8, "in the Transformer of the paper"),
    Variant(
        tag="attention-floor-division",
        description="Divides by the root with //, so that scores become whole numbers",
        message="Your scores are whole numbers before they reach softmax: their decimals are cut "
        "off by the division. Python divides in two ways: what do one stroke and two strokes give "
        "for 7 and 2?",
        edits={" / np.sqrt(d_k)": " // np.sqrt(d_k)"},
    ),
    Variant(
        tag="attention-scale-of-one-side",
        description="Divides by the fourth root of d_k (queries scaled, keys not)",
        message="Your scores are divided by something smaller than the root of d_k, so one key "
        "still gets too much: the fourth root fits your weights. If you share the division between "
        "queries and keys, does it reach both?",
        edits={"np.sqrt(d_k)": "d_k**0.25"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One query, (2, 0, 0, 0), meets two keys: (1.1, 0, 0, 0) and (0, 0, 0, 0). Here 1.1 stands for the
number to which e has to be raised to give 3.

The dot products are 2 · 1.1 = 2.2 and 0. Each adds up four terms, one for each entry of a key, so
they are divided by √4 = 2. That leaves the scores 2.2/2 = 1.1 and 0.

Only now comes softmax: e^1.1 = 3 and e^0 = 1, with the sum 3 + 1 = 4, so the weights are
3/4 = 0.75 and 1/4 = 0.25.

Without the division the first key would get 0.9, and with a larger one less than 0.75. Is yours
above or below? Do your weights sum to 1?""",
        """\
Q = np.array([[2.0, 0.0, 0.0, 0.0]])
K = np.log([[3.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
V = np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[0]""",
        [[0.75, 0.25]],
    ),
    WorkedExample(
        """
The smallest attention there is: queries and keys have a single entry. One query, 1, meets two
keys, 1.1 and 0, where 1.1 stands for the number to which e has to be raised to give 3.

Each dot product is a single term: 1 · 1.1 = 1.1 and 1 · 0 = 0.

The size of a key is 1, so the scores are divided by √1 = 1, which leaves them as they are.

Softmax: e^1.1 = 3 and e^0 = 1, the sum is 3 + 1 = 4, and the weights are 3/4 = 0.75 and
1/4 = 0.25.

At this size the scale leaves everything as it is. Work backwards from your weights: by which number
did you divide?""",
        """\
Q, K, V = np.array([[1.0]]), np.log([[3.0], [1.0]]), np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[0]""",
        [[0.75, 0.25]],
    ),
)
