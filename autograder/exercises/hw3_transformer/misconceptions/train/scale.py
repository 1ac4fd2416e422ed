"""What learners get wrong in train: a loss that is divided or multiplied once more, or another."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import LOSS, SHARES

MISCONCEPTIONS = (
    Variant(
        tag="train-divided-by-the-batch",
        description="Divides the mean loss by the size of the batch once more",
        message="Your losses are the right ones, divided by the number of sequences in the batch. "
        "`F.cross_entropy` has averaged already, so now a batch twice as large looks twice as "
        "good. What do you divide by, and has that been done before?",
        edits={LOSS: LOSS + " / len(src)"},
    ),
    Variant(
        tag="train-divided-by-the-length",
        description="Divides the mean loss by the length of the targets once more",
        message="Your losses are the right ones, divided by the number of tokens to predict in "
        "each target. `F.cross_entropy` has averaged already, over rows and positions. Look for a "
        "second division.",
        edits={LOSS: LOSS + " / wanted.shape[1]"},
    ),
    Variant(
        tag="train-divided-by-the-tokens",
        description="Divides the mean loss by the number of tokens once more",
        message="Your losses are the right ones, divided once too often by the number of all "
        "predicted tokens. `F.cross_entropy` returns a mean unless told otherwise.",
        edits={LOSS: LOSS + " / wanted.numel()"},
    ),
    Variant(
        tag="train-loss-times-the-length",
        description="Records the loss times the length of the targets",
        message="What you record is the mean loss times the number of tokens to predict in each "
        "target: a mean over rows, but a sum over positions. The exercise asks for the mean over "
        "all predicted tokens.",
        edits={"loss.item()": "loss.item() * wanted.shape[1]"},
    ),
    Variant(
        tag="train-logits-as-log-probabilities",
        description="NLLLoss on logits, without log_softmax",
        message="Your loss is minus the *logit* of the right token, not minus the logarithm of its "
        "probability: it has no floor, and falls for ever as logits grow. Of torch's two losses, "
        "one takes logits and the other log-probabilities. Which is yours?",
        edits={LOSS: "F.nll_loss(logits.flatten(0, 1), wanted.flatten())"},
    ),
    Variant(
        tag="train-softmax-over-positions",
        description="The log-softmax of the loss runs over the positions (dim=1)",
        message="Your softmax runs over the *positions* of a text, so a token's chances sum to 1 "
        "over the places where it might stand. At each position, the tokens of the vocabulary "
        "share out a sum of 1. Which axis of (batch, t, vocab) is theirs?",
        edits={LOSS: "-torch.log_softmax(logits, 1).gather(2, wanted.unsqueeze(2)).mean()"},
    ),
    Variant(
        tag="train-probabilities-without-logarithm",
        description="NLLLoss on probabilities: softmax without a logarithm",
        message="Your loss is minus the *probability* of the right token, not minus its "
        "logarithm: it lies between -1 and 0, and a model that is sure and wrong hardly hears of "
        "it. `nn.NLLLoss` takes no logarithm, whatever its name says. Which loss takes logits as "
        "they are?",
        edits={LOSS: "F.nll_loss(logits.softmax(-1).flatten(0, 1), wanted.flatten())"},
    ),
    Variant(
        tag="train-another-loss",
        description="Another number than the mean cross-entropy of the tokens that follow",
        message="For a model that we know, your losses differ from what the exercise asks for: the "
        "cross-entropy between the logits and the token that follows, averaged over all predicted "
        "tokens. Take a target of three tokens, compute the loss of each position by hand, and "
        "look for the first that differs.",
        edits={"logits.flatten(0, 1)": "logits.softmax(dim=1).flatten(0, 1)"},
    ),
    Variant(
        tag="train-classes-on-the-last-axis",
        description="Hands (batch, t, vocab) to F.cross_entropy as it is",
        message="You hand three axes to the cross-entropy as they come. It takes axis 1 for the "
        "classes, and here that axis holds positions: that is why it complains about the target's "
        "size. Which axis of your logits is the vocabulary, and how does it get where it belongs?",
        edits={LOSS: "F.cross_entropy(logits, wanted)"},
    ),
)

EXAMPLES = (SHARES,)
