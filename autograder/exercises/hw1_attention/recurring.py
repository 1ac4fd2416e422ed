"""Mistakes that can be made in each of the three exercises on attention, as edits of a reference.

Each REFERENCE has `np.sqrt(d_k)`; the text that moves the scores before the exponential, and the
head of the function, differ.
"""

from __future__ import annotations

from autograder.testing import Variant


def misread_powers(prefix: str) -> tuple[Variant, ...]:
    """Return what becomes of a root that is written as a power of 1/2 without brackets."""
    return (
        Variant(
            tag=f"{prefix}-scale-half-of-d-k",
            description="Divides by half of d_k: (d_k ** 1/2), in brackets, is no root",
            message="Your scores are divided by half of d_k, where equation 1 has its root. If "
            "there is a power with a fraction in your code: Python takes a power before it "
            "divides. What does `9 ** 1/2` give?",
            edits={"np.sqrt(d_k)": "(d_k**1/2)"},
        ),
        Variant(
            tag=f"{prefix}-scale-twice-d-k",
            description="Divides by twice d_k: scores / d_k ** 1/2 is (scores / d_k) / 2",
            message="Your scores are divided by twice d_k, where equation 1 has its root. If "
            "there is a power with a fraction in your code: Python takes a power first, and then "
            "divides from left to right. What does `36 / 9 ** 1/2` give?",
            edits={"np.sqrt(d_k)": "(2 * d_k)"},
        ),
    )


def without_negative_scores(prefix: str) -> tuple[Variant, ...]:
    """Return what becomes of scores that lose their sign, or end at 0, before the exponential."""
    return (
        Variant(
            tag=f"{prefix}-scores-without-sign",
            description="Takes the absolute values of the scores",
            message="A key that points away from a query gets as much of its attention as one that "
            "points the same way: the scores have lost their sign on the way to softmax. A score "
            "of -3 says that a key doesn't fit, and softmax makes little of it. What in your code "
            "takes the minus away?",
            edits={"Q @ K.T": "np.abs(Q @ K.T)"},
        ),
        Variant(
            tag=f"{prefix}-negative-scores-cut",
            description="Cuts negative scores off at 0, as a ReLU does, before softmax",
            message="No score of yours is below 0 when it comes to softmax: a key that doesn't fit "
            "at all gets the same share as one whose score is 0. Softmax takes negative numbers as "
            "they are, and makes little of them. What in your code makes 0 of what is negative?",
            edits={"Q @ K.T": "np.maximum(Q @ K.T, 0)"},
        ),
    )


def keys_transposed_where_needed(prefix: str, query: str, keys: str) -> Variant:
    """Return the mistake of multiplying with the `keys` as they are where the sizes allow it."""
    fits = f"{keys}.shape[0] == {query}.shape[-1]"
    return Variant(
        tag=f"{prefix}-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message="Where there are as many keys as a key has entries, you multiply with the keys as "
        "they are, since the sizes fit without a transpose. That a product runs doesn't make it "
        "the right one: a query should meet each key, and a key is a row. What does your code ask "
        "of the shapes?",
        edits={f"{query} @ {keys}.T": f"{query} @ ({keys} if {fits} else {keys}.T)"},
    )


def zeros_hidden(prefix: str, tokens: str, anchor: str) -> tuple[Variant, ...]:
    """Return what becomes of scores if `tokens` of zeros count as padding, before `anchor`."""
    return tuple(
        Variant(
            tag=f"{prefix}-{tag}",
            description=f"Hides as padding each token {description}",
            message=f"A token {description} gets no attention in your code, as if it were padding. "
            "No number means padding here: what has no features yet, or some that cancel out, is a "
            "token like any other. Which line of yours decides who counts?",
            edits={anchor: f"    scores = np.where({asked}, -1e9, scores)\n{anchor}"},
        )
        for tag, description, asked in (
            ("zeros-hidden", "whose entries are all 0", f"({tokens} == 0).all(axis=1)"),
            ("zero-sums-hidden", "whose entries sum to 0", f"{tokens}.sum(axis=1) == 0"),
        )
    )


def zero_scores_hidden(prefix: str, anchor: str) -> Variant:
    """Return what becomes of scores if a score of 0 counts as padding, before `anchor`."""
    return Variant(
        tag=f"{prefix}-zero-scores-hidden",
        description="Takes each score of 0 for padding",
        message="Where a score is 0, your query doesn't see the key at all. 0 is a score like "
        "any other: softmax makes a share of it, as e⁰ = 1. Which line of yours treats it "
        "differently?",
        edits={anchor: f"    scores = np.where(scores == 0, -np.inf, scores)\n{anchor}"},
    )


def keys_of_length_one(prefix: str) -> Variant:
    """Return the mistake of dividing each key by its length."""
    return Variant(
        tag=f"{prefix}-keys-of-length-one",
        description="Divides the keys by their lengths, and by √d_k as well",
        message="Your keys all have length 1 when they meet the queries, so a long key counts no "
        "more than a short one. In equation 1 keys go into the product as they are, and one number "
        "divides all scores alike. Which line of yours divides them?",
        edits={"Q @ K.T": "Q @ (K / np.maximum(np.linalg.norm(K, axis=1, keepdims=True), 1e-6)).T"},
    )


def divided_by(prefix: str, name: str, number: int, where: str) -> Variant:
    """Return the mistake of dividing by a fixed `number`, which is √d_k in one place only."""
    return Variant(
        tag=f"{prefix}-scale-{name}",
        description=f"Divides by {number}, whatever d_k is",
        message=f"Your scores are divided by {number}, whatever the sizes are. That is the root of "
        f"d_k {where}; your function is given other arrays as well. Which of their sizes is d_k, "
        "and how does your code learn it?",
        edits={"np.sqrt(d_k)": str(number)},
    )


def range_lost(prefix: str, shift: str, head: str, arrays: str) -> tuple[Variant, ...]:
    """Return what goes wrong with large numbers.

    `shift` is the text of the reference that moves the scores, `head` the last line of the
    function's head, and `arrays` the names of the arrays that it is given.
    """
    return (
        Variant(
            tag=f"{prefix}-scores-clipped",
            description="Clips the scores at ±700 instead of moving them",
            message="Scores beyond a limit come out all alike in your code, so a score of 500,000 "
            "counts no more than one of 1,000. A limit saves the exponential from overflowing, but "
            "it changes the differences between scores. Another step would keep them.",
            edits={shift: "np.clip(scores, -700, 700)"},
        ),
        Variant(
            tag=f"{prefix}-long-double",
            description="Exponentiates in long double instead of moving the scores",
            message="Scores in the thousands go well, but hundreds of thousands give nan: a longer "
            "floating-point number only moves the limit, and some machines have none. Something "
            "can be done to the scores of a row first, so that no exponential is ever too large.",
            edits={shift: "scores.astype(np.longdouble)"},
        ),
        Variant(
            tag=f"{prefix}-half-precision",
            description="Computes in float16",
            message="Your numbers have about three digits, and large ones become infinite: that is "
            "what float16 can hold. The inputs are float64. Where do your arrays get another "
            "type?",
            edits={
                head: f"{head}\n    {arrays} = (each.astype(np.float16) for each in ({arrays}))",
                "np.sqrt(d_k)": "np.float16(np.sqrt(d_k))",  # else float64 from here on
            },
        ),
    )
