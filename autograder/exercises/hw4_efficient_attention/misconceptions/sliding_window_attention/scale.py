"""What learners get wrong in sliding_window_attention: scale."""

from __future__ import annotations

from autograder.testing import Variant

from ...scores import wrong_scales

MISCONCEPTIONS = (
    *wrong_scales("sliding-window", "d"),
    Variant(
        tag="sliding-window-scaled-by-the-width",
        description="The scores are divided by the root of the window's width",
        message="You divide the scores by the root of the number of keys in a window. How large a "
        "dot product gets depends on how many *features* are multiplied and added, not on how "
        "many keys there are. Which axis of Q holds the features?",
        edits={"math.sqrt(d)": "math.sqrt(2 * window + 1)"},
    ),
    Variant(
        tag="sliding-window-scaled-by-n",
        description="The scores are divided by the root of n",
        message="You divide the scores by the root of the number of tokens. How large a dot "
        "product gets depends on how many *features* are multiplied and added. The last axis of Q "
        "holds them.",
        edits={"math.sqrt(d)": "math.sqrt(n)"},
    ),
    Variant(
        tag="sliding-window-scaled-by-the-keys",
        description="The scores are divided by the root of the number of keys that are seen",
        message="You divide the scores of a query by the root of the number of keys that it sees, "
        "so they are not even the same near an end as in the middle. How large a dot product gets "
        "depends on how many *features* are multiplied and added. Which axis of Q holds them?",
        edits={"math.sqrt(d)": "visible.sum(dim=-1, keepdim=True).sqrt()"},
    ),
)
