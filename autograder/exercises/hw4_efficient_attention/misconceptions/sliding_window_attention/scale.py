"""What learners get wrong in sliding_window_attention: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

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
        message="You divide the scores of a query by the root of the number of keys that it sees. "
        "How large a dot product gets depends on how many *features* are multiplied and added. "
        "Which axis of Q holds them?",
        edits={"math.sqrt(d)": "visible.sum(dim=-1, keepdim=True).sqrt()"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Three tokens with keys of four entries, and a window of 1. Only the middle token asks for
something: its query is (2, 0, 0, 0), and it sees all three.

The first key is (1.1, 0, 0, 0), where e^1.1 = 3; the others hold zeros. The dot products are
2 · 1.1 = 2.2, 0 and 0. Each adds up four terms, whatever the window is, so they are divided by
√4 = 2: the scores are 1.1, 0 and 0.

Softmax: 3 + 1 + 1 = 5, so the weights are 3/5 = 0.6, 1/5 = 0.2 and 1/5 = 0.2.

The values are 10, 0 and 0, so the middle token takes home 0.6 · 10 = 6, and the first one, which
sees two alike, 0.5 · 10 = 5.

Is the 6 larger in yours, or smaller? Which size did you take the root of?""",
        """\
Q, K, V = torch.zeros(1, 3, 4), torch.zeros(1, 3, 4), torch.zeros(1, 3, 4)
Q[0, 1, 0], K[0, 0, 0], V[0, 0, 0] = 2.0, 1.0986, 10.0
sliding_window_attention(Q, K, V, 1)[0, :, 0]""",
        [5.0, 6.0, 0.0],
    ),
)
