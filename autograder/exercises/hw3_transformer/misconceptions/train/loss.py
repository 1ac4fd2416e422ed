"""What learners get wrong in train: loss."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import LOSS, SHARES

MISCONCEPTIONS = (
    Variant(
        tag="train-softmax-before-the-loss",
        description="Applies softmax before F.cross_entropy",
        message="You hand probabilities to the cross-entropy, which applies a softmax of its own. "
        "A softmax of a softmax is nearly flat: learning is slow, and the loss can't come near 0. "
        "`F.cross_entropy` expects logits.",
        edits={"logits.flatten(0, 1)": "logits.softmax(dim=-1).flatten(0, 1)"},
    ),
    Variant(
        tag="train-axes-scrambled",
        description="Reshapes (batch, vocab, t) into rows: scores of different positions mix",
        message="In what you hand to the loss, the scores of one position no longer stand "
        "together: `reshape` and `view` read straight on, whatever the axes mean. In which order "
        "are the axes before it, and in which order should they be after it?",
        edits={"logits.flatten(0, 1)": "logits.transpose(1, 2).reshape(-1, logits.shape[-1])"},
    ),
    Variant(
        tag="train-axes-read-on",
        description="Reshapes (batch, t, vocab) to (batch, vocab, t) instead of exchanging axes",
        message="You give the logits the shape (batch, vocab, t), and the scores of one position "
        "no longer stand together: `reshape` and `view` keep all numbers in their order and read "
        "straight on, whatever the axes mean. What makes two axes change places?",
        edits={LOSS: "F.cross_entropy(logits.reshape(len(logits), -1, logits.shape[1]), wanted)"},
    ),
    Variant(
        tag="train-logits-and-targets-in-two-orders",
        description="Flattens logits and targets in two orders: by position, and by sequence",
        message="You hold the scores of one token against *another* one: of logits and targets, "
        "one goes into the loss sequence by sequence, and the other position by position. Sizes "
        "don't show it, since there are as many of both. Which axis comes first in each just "
        "before you flatten it?",
        edits={"logits.flatten(0, 1)": "logits.transpose(0, 1).flatten(0, 1)"},
    ),
    Variant(
        tag="train-sum-of-losses",
        description="Sums over all tokens instead of averaging",
        message="Your loss is a sum over tokens, so it grows with the batch and with the length of "
        "its texts, and says little about how good the model is. The exercise asks for the mean "
        "over all predicted tokens.",
        edits={"wanted.flatten())": 'wanted.flatten(), reduction="sum")'},
    ),
    Variant(
        tag="train-loss-times-the-batch",
        description="Records the loss times the size of the batch",
        message="What you record is the mean loss times the size of the batch, as one does to "
        "average over an epoch later. Here each entry stands for its own batch alone, whatever its "
        "size.",
        edits={"loss.item()": "loss.item() * len(src)"},
    ),
    Variant(
        tag="train-ignores-a-token",
        description="ignore_index=0: leaves out a real token as if it were padding",
        message="You leave token 0 out of the loss, as if it were padding. There is no padding "
        "here, and 0 is a token like any other: your model would never learn to write it. What in "
        "your code tells the loss to leave it out?",
        edits={"wanted.flatten())": "wanted.flatten(), ignore_index=0)"},
    ),
    Variant(
        tag="train-label-smoothing",
        description="Smooths the labels",
        message="You smooth the labels, as the paper does in §5.4. The exercise asks for plain "
        "cross-entropy, minus the logarithm of the probability of the right token. Which argument "
        "makes the difference?",
        edits={"wanted.flatten())": "wanted.flatten(), label_smoothing=0.1)"},
    ),
    Variant(
        tag="train-squared-error",
        description="Squared error between probabilities and one-hot targets",
        message="You measure squared differences of probabilities. Where the model is sure and "
        "wrong, these have hardly any slope, so it learns slowly just where it should learn most. "
        "The exercise names another loss.",
        edits={LOSS: "F.mse_loss(logits.softmax(-1), F.one_hot(wanted, logits.shape[-1]).float())"},
    ),
)

EXAMPLES = (SHARES,)
