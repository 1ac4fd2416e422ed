"""What learners get wrong in MultiHeadAttention: masks that work at times only."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import FILL

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-scale-lost-under-a-mask",
        description="Scales the scores only where there is no mask",
        message="Without a mask your scores are scaled, with one they aren't: the two ways through "
        "your code differ in more than the mask. The scale belongs in both.",
        edits={FILL: "scores = (Q @ K.transpose(-2, -1)).masked_fill(~mask, -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-in-train-mode-alone",
        description="Applies the mask in train mode alone",
        message="In train mode your module obeys the mask, in eval mode it ignores it. What may be "
        "seen is no matter of the mode, unlike dropout: the same keys are hidden wherever a model "
        "is trained or used. Which condition does your mask depend on?",
        edits={"if mask is not None:": "if mask is not None and self.training:"},
    ),
    Variant(
        tag="multi-head-mask-in-eval-mode-alone",
        description="Applies the mask in eval mode alone",
        message="In eval mode your module obeys the mask, in train mode it ignores it. What may be "
        "seen is no matter of the mode, unlike dropout: a model that trains with hidden keys in "
        "sight learns to rely on them. Which condition does your mask depend on?",
        edits={"if mask is not None:": "if mask is not None and not self.training:"},
    ),
    Variant(
        tag="multi-head-causal-in-train-mode",
        description="Hides later keys in train mode",
        message="In train mode your queries see only the keys up to their own place, in eval mode "
        "all of them. Nothing is hidden here that the mask doesn't hide, whatever the mode. Which "
        "line made that other mask?",
        edits={
            "        weights =": (
                "        if self.training:\n"
                "            scores = "
                "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -1e9)\n"
                "        weights ="
            )
        },
    ),
    Variant(
        tag="multi-head-argument-changed",
        description="Changes an argument in place, such as the mask",
        message="After a call, something that you were given isn't what it was: the mask, turned "
        "round in place, or query, key or value. Its owner uses it again in the next layer. Names "
        "that end in an underscore, `+=` and `x[…] = …` change what they are given: which is it?",
        edits={FILL: "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-kept-from-the-first-call",
        description="Keeps the first mask and uses it ever after",
        message="Your module keeps the first mask that it gets and uses it in every later call, "
        "whatever comes with that. Each call brings its own. Which attribute is set once and never "
        "again?",
        edits={
            FILL: (
                "if not hasattr(self, 'kept'):\n"
                "                self.kept = mask\n"
                "            scores = scores.masked_fill(~self.kept, -math.inf)"
            )
        },
    ),
    Variant(
        tag="multi-head-hidden-scores-not-low-enough",
        description="Fills hidden scores with a number such as -100",
        message="Ordinary scores go well, but visible ones may lie hundreds below 0, and then your "
        "hidden keys are the best in sight: their score is a number, and not low enough. Look for "
        "a score so low that e^score vanishes, whatever the others are.",
        edits={FILL: "scores = scores.masked_fill(~mask, -100.0)"},
    ),
    Variant(
        tag="multi-head-mask-made-of-numbers",
        description="Hands masked_fill a mask of floats, which it refuses",
        message="You turn the mask into numbers, and `masked_fill` refuses them: it asks a "
        "yes-or-no question at each place. The mask comes as booleans. What does your conversion "
        "gain?",
        edits={FILL: "scores = scores.masked_fill(1.0 - mask.float(), -math.inf)"},
    ),
)
