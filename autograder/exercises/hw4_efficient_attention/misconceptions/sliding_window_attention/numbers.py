"""What learners get wrong in sliding_window_attention: large numbers, and what hides too little."""

from __future__ import annotations

from autograder.testing import Variant

from ...scores import BY_HAND, SOFTMAX, wrong_ranges

HIDDEN = "-math.inf"

MISCONCEPTIONS = (
    *wrong_ranges("sliding-window", clipped="scores.masked_fill"),
    Variant(
        tag="sliding-window-one-maximum",
        description="Subtracts the largest of all scores, not the largest of each query",
        message="You move all scores by one number, the largest of all. A query whose own scores "
        "lie hundreds below it is left with exponentials that are all 0, and 0 / 0 is no number. "
        "Whose largest score should be taken off?",
        edits={
            SOFTMAX: BY_HAND.replace("scores.exp()", "(scores - scores.max()).exp()"),
        },
    ),
    *(
        Variant(
            tag=f"sliding-window-hidden-by-minus-{number}",
            description=f"Gives keys outside the window the score -{number} instead of -inf",
            message=f"Keys outside your window get a score of about −{number}. That is a score "
            "like any other, and where the true scores are lower still, the hidden keys take "
            "most. Only one score is below all others, whatever they are.",
            edits={HIDDEN: f"-{number}.0"},
        )
        for number in (1, 2, 5, 10, 100)
    ),
)
