"""What learners get wrong in train: a loss that is divided or multiplied once more, or another."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import LOSS

MISCONCEPTIONS = (
    Variant(
        tag="train-divided-by-the-batch",
        description="Divides the mean loss by the size of the batch once more",
        message="Your losses are the right ones, divided by the number of sequences in the batch. "
        "`F.cross_entropy` has averaged already, so a batch twice as large looks twice as good. "
        "What do you divide by, and who has done so before?",
        edits={LOSS: LOSS + " / len(src)"},
        pairs=False,
    ),
    Variant(
        tag="train-divided-by-the-length",
        description="Divides the mean loss by the length of the targets once more",
        message="Your losses are the right ones, divided by the number of tokens that a target has "
        "to predict. `F.cross_entropy` has averaged already, over rows and positions. What do you "
        "divide by, and who has done so before?",
        edits={LOSS: LOSS + " / wanted.shape[1]"},
        pairs=False,
    ),
    Variant(
        tag="train-divided-by-the-tokens",
        description="Divides the mean loss by the number of tokens once more",
        message="Your losses are the right ones, divided by the number of all predicted tokens "
        "once more than needed. Either a sum is divided by a number, or a mean is taken: which of "
        "the two does `F.cross_entropy` return to you?",
        edits={LOSS: LOSS + " / wanted.numel()"},
        pairs=False,
    ),
    Variant(
        tag="train-loss-times-the-length",
        description="Records the loss times the length of the targets",
        message="What you record is the mean loss times the number of tokens that a target has to "
        "predict: a mean over rows, but a sum over positions. The exercise asks for the mean over "
        "all predicted tokens. How many of them are there in a batch?",
        edits={"loss.item()": "loss.item() * wanted.shape[1]"},
        pairs=False,
    ),
    Variant(
        tag="train-logits-as-log-probabilities",
        description="NLLLoss on logits, without log_softmax",
        message="Your loss is minus the *logit* of the right token, not minus the logarithm of its "
        "probability: it has no floor, and falls for ever while all logits grow. One of torch's "
        "two losses takes logits, the other log-probabilities. Which is yours?",
        edits={LOSS: "F.nll_loss(logits.flatten(0, 1), wanted.flatten())"},
        pairs=False,
    ),
    Variant(
        tag="train-another-loss",
        description="Another number than the mean cross-entropy of the tokens that follow",
        message="For a model that we know, your losses aren't the mean, over all predicted tokens, "
        "of the cross-entropy between the logits and the token that follows. Take a target of "
        "three tokens and compute the loss of each position by hand: which one differs first?",
        edits={"logits.flatten(0, 1)": "logits.softmax(dim=1).flatten(0, 1)"},
        pairs=False,
    ),
    Variant(
        tag="train-classes-on-the-last-axis",
        description="Hands (batch, t, vocab) to F.cross_entropy as it is",
        message="You hand three axes to the cross-entropy as they come, and it takes axis 1 for "
        "the classes, which here are positions: its complaint about the target's size means that. "
        "Which axis of your logits is the vocabulary, and how does it get where it belongs?",
        edits={LOSS: "F.cross_entropy(logits, wanted)"},
        pairs=False,
    ),
)
