"""What learners get wrong in sliding_window_attention: scale."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-not-scaled",
        description="The scores are not divided by the root of d",
        message="Your scores go into the softmax as they are, so the attention is sharper than it "
        "should be. A window changes which scores there are, not how large they are. What does "
        "`full_attention` divide by?",
        edits={" / math.sqrt(d)": ""},
    ),
    Variant(
        tag="sliding-window-scaled-by-d",
        description="The scores are divided by d instead of its root",
        message="Your scores are divided by d, so the attention is flatter than it should be. The "
        "spread of a dot product grows with the *root* of the number of its terms.",
        edits={"math.sqrt(d)": "d"},
    ),
    Variant(
        tag="sliding-window-scaled-by-the-width",
        description="The scores are divided by the root of the window's width",
        message="You divide the scores by the root of how many keys a window holds. How large a "
        "dot product gets depends on how many *features* are multiplied and added, not on how many "
        "keys there are.",
        edits={"math.sqrt(d)": "math.sqrt(2 * window + 1)"},
    ),
    Variant(
        tag="sliding-window-scaled-by-n",
        description="The scores are divided by the root of n",
        message="You divide the scores by the root of the number of tokens. How large a dot "
        "product gets depends on how many *features* are multiplied and added. Which axis of Q "
        "holds them?",
        edits={"math.sqrt(d)": "math.sqrt(n)"},
    ),
)
