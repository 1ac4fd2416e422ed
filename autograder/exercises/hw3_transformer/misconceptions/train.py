"""What learners get wrong in train."""

from __future__ import annotations

from autograder.testing import Variant

# With Adam, as the exercise recommends: answers with other optimisers move otherwise.
REFERENCE = """\
def train(model, batches, lr=1e-3):
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        read = tgt[:, :-1]
        wanted = tgt[:, 1:]
        logits = model(src, read)
        loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
"""

_LOSS = "F.cross_entropy(logits.flatten(0, 1), wanted.flatten())"
_CLEAR = "        optimiser.zero_grad()\n"

WRONG_TARGETS = (
    Variant(
        tag="train-targets-not-shifted",
        description="Compares each position with the token that it reads",
        message="You ask each position for the token that it has just *read*. To copy that is "
        "easy, so the loss falls fast and the model learns nothing. In the picture of teacher "
        "forcing, what stands below each token that is read?",
        edits={"wanted = tgt[:, 1:]": "wanted = tgt[:, :-1]"},
    ),
    Variant(
        tag="train-targets-shifted-twice",
        description="Predicts the token after the next",
        message="You ask each position for the token *after* the next: target and logits are "
        "shifted against each other twice. In the picture of teacher forcing, how far apart are a "
        "token that is read and the one below it?",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :-2]",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, 2:]",
        },
    ),
    Variant(
        tag="train-reads-the-answers",
        description="Feeds the decoder what it should predict",
        message="Your model reads the very tokens that it is to predict, and never sees `BOS`. "
        "Later, when it writes by itself, nobody will hand it the answer. In the picture of "
        "teacher forcing, with which token does the decoder begin to read?",
        edits={"read = tgt[:, :-1]": "read = tgt[:, 1:]"},
    ),
    Variant(
        tag="train-eos-left-out",
        description="Never predicts eos",
        message="Your loss ends with the last word, so the model is never asked for `EOS` and will "
        "never stop by itself. How many tokens of a target are predicted, and which one is not?",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :-2]",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, 1:-1]",
        },
    ),
    Variant(
        tag="train-no-teacher-forcing",
        description="Feeds the model its own words instead of the right ones",
        message="You let the model read its own words while it learns. As long as they are wrong, "
        "it learns what follows wrong beginnings, and each batch takes many passes. What does a "
        "patient teacher give it to read?",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :1]\n"
            "        while read.shape[1] < tgt.shape[1] - 1:\n"
            "            said = model(src, read)[:, -1:].argmax(dim=-1)\n"
            "            read = torch.cat([read, said], dim=1)"
        },
    ),
    Variant(
        tag="train-reads-bos-alone",
        description="Feeds nothing but bos at every position",
        message="At every position your model reads `BOS`, so it never learns how what was written "
        "bears on what comes next. What does it read when it writes by itself?",
        edits={"read = tgt[:, :-1]": "read = tgt[:, :1].expand(-1, tgt.shape[1] - 1)"},
    ),
    Variant(
        tag="train-first-token-only",
        description="Takes the loss of the first predicted token alone",
        message="Only the first predicted token counts in your loss. The model answers for every "
        "position at once, and every answer can be compared. Over which axes does the mean go?",
        edits={_LOSS: "F.cross_entropy(logits[:, 0], wanted[:, 0])"},
    ),
    Variant(
        tag="train-last-token-only",
        description="Takes the loss of the last predicted token alone",
        message="Only the last predicted token counts in your loss, which is always `EOS`: the "
        "model will learn to say nothing else. Over which axes does the mean go?",
        edits={_LOSS: "F.cross_entropy(logits[:, -1], wanted[:, -1])"},
    ),
)

WRONG_LOSS = (
    Variant(
        tag="train-softmax-before-the-loss",
        description="Applies softmax before F.cross_entropy",
        message="You hand probabilities to `F.cross_entropy`, which applies a softmax of its own. "
        "A softmax of a softmax is nearly flat: learning is slow, and the loss can't come near 0. "
        "What does the function want?",
        edits={"logits.flatten(0, 1)": "logits.softmax(dim=-1).flatten(0, 1)"},
    ),
    Variant(
        tag="train-axes-scrambled",
        description="Reshapes (batch, vocab, t) into rows: scores of different positions mix",
        message="The rows that you hand to the loss are no longer the scores of one position: a "
        "`reshape` reads on like a book, whatever the axes mean. In which order stand the axes "
        "before you flatten?",
        edits={"logits.flatten(0, 1)": "logits.transpose(1, 2).reshape(-1, logits.shape[-1])"},
    ),
    Variant(
        tag="train-sum-of-losses",
        description="Sums over all tokens instead of averaging",
        message="Your loss is a sum over tokens, so a large batch weighs more than a small one and "
        "steps grow with it. Which kind of total does the exercise ask for?",
        edits={"wanted.flatten())": 'wanted.flatten(), reduction="sum")'},
    ),
    Variant(
        tag="train-loss-times-the-batch",
        description="Records the loss times the size of the batch",
        message="What you record is the loss times the size of the batch, as one does to average "
        "over an epoch later. Here each entry speaks of its own batch: what is its mean?",
        edits={"loss.item()": "loss.item() * len(src)"},
    ),
    Variant(
        tag="train-ignores-a-token",
        description="ignore_index=0: leaves out a real token as if it were padding",
        message="You leave the token 0 out of the loss, as if it were padding. There is no padding "
        "here, and 0 is a token like any other: your model would never learn to write it.",
        edits={"wanted.flatten())": "wanted.flatten(), ignore_index=0)"},
    ),
    Variant(
        tag="train-label-smoothing",
        description="Smooths the labels",
        message="You smooth the labels, as the paper does in §5.4. The exercise asks for plain "
        "cross-entropy, so that the number can be read as a probability. Which argument makes the "
        "difference?",
        edits={"wanted.flatten())": "wanted.flatten(), label_smoothing=0.1)"},
    ),
    Variant(
        tag="train-squared-error",
        description="Squared error between probabilities and one-hot targets",
        message="You measure squared differences of probabilities. Where the model is sure and "
        "wrong, that has hardly any slope, so it learns slowly where it should learn most. Which "
        "loss does the exercise name?",
        edits={
            _LOSS: "F.mse_loss(logits.softmax(-1), F.one_hot(wanted, logits.shape[-1]).float())"
        },
    ),
)

WRONG_STEP = (
    Variant(
        tag="train-no-zero-grad",
        description="Never clears the gradients",
        message="You never clear the gradients. `backward` adds to what is there, so each step "
        "follows the sum of all batches so far and the oldest push on for ever. Which method of "
        "the optimiser clears them?",
        edits={_CLEAR: ""},
    ),
    Variant(
        tag="train-zero-grad-once",
        description="Clears the gradients once, before the loop",
        message="You clear the gradients once, before the first batch. But `backward` adds to what "
        "is there for every batch anew. How often do they have to be cleared?",
        edits={_CLEAR: "", "    losses = []\n": "    losses = []\n    optimiser.zero_grad()\n"},
    ),
    Variant(
        tag="train-never-moves",
        description="No backward, no step, or gradients cleared between the two: never moves",
        message="Your model never changes. `backward` computes gradients, `step` follows them, "
        "`zero_grad` forgets them: where one of the first two is missing, or all is forgotten "
        "before it is followed, nothing is learned. Which order is yours?",
        edits={"        optimiser.step()\n": ""},
    ),
    Variant(
        tag="train-uphill",
        description="Maximises the loss",
        message="With every step your model gets *worse*: it climbs where it should descend. Is "
        "there a minus sign too many, or an argument `maximize`?",
        edits={"loss.backward()": "(-loss).backward()"},
    ),
    Variant(
        tag="train-learning-rate-ignored",
        description="Doesn't use the argument lr",
        message="Whatever lr is, your optimiser takes steps of the same size; even with lr=0 the "
        "model moves. Which learning rate does it get?",
        edits={"lr=lr": "lr=1e-3"},
    ),
    Variant(
        tag="train-another-default",
        description="Another default for lr",
        message="Called without lr, your function takes steps of another size than asked for. "
        "What does the signature in the exercise say after `lr=`?",
        edits={"lr=1e-3)": "lr=1e-2)"},
    ),
    Variant(
        tag="train-some-parameters",
        description="The optimiser gets only some of the parameters",
        message="Some parameters of the model never move, though gradients reach them: your "
        "optimiser doesn't know them. What do you hand to it when you make it?",
        edits={"Adam(model.parameters()": "Adam(list(model.parameters())[-1:]"},
    ),
    Variant(
        tag="train-eval-mode",
        description="Trains in eval mode: no dropout",
        message="You train the model in eval mode, so nothing drops out where it should. Eval mode "
        "is for using a model. Which method is its counterpart?",
        edits={"model.train()": "model.eval()"},
    ),
    Variant(
        tag="train-under-no-grad",
        description="Runs the model under torch.no_grad()",
        message="You run the model under `no_grad`, so nobody writes down how the loss came about, "
        "and `backward` has nothing to go back on. When is `no_grad` in place: while learning, or "
        "while writing?",
        edits={
            "        logits = model(src, read)": "        with torch.no_grad():\n"
            "            logits = model(src, read)"
        },
    ),
)

WRONG_LOSSES = (
    Variant(
        tag="train-loss-after-the-step",
        description="Records the loss after the step",
        message="The loss that you record was measured after the step, on the batch that was just "
        "learned, so it looks better than the model is. When does a batch tell most honestly how "
        "good the model was?",
        edits={
            "losses.append(loss.item())": "with torch.no_grad():\n"
            "            after = model(src, read).flatten(0, 1)\n"
            "        losses.append(F.cross_entropy(after, wanted.flatten()).item())"
        },
    ),
    Variant(
        tag="train-tensors",
        description="Returns tensors instead of floats",
        message="Your losses are tensors, and a tensor keeps the whole computation behind it "
        "alive: after thousands of batches memory runs out. How does a tensor of one number become "
        "a float?",
        edits={"loss.item()": "loss"},
    ),
    Variant(
        tag="train-last-loss",
        description="Returns the last loss alone",
        message="You return a single number, the loss of the last batch. To draw the curve, one "
        "needs one number for each batch. What is collected in your loop, and what is returned?",
        edits={"return losses": "return losses[-1]"},
    ),
    Variant(
        tag="train-mean-loss",
        description="Returns the mean of all batches",
        message="You return a single number, the mean of all batches. To draw the curve, one needs "
        "one number for each batch. What is collected in your loop, and what is returned?",
        edits={"return losses": "return sum(losses) / len(losses)"},
    ),
    Variant(
        tag="train-running-mean",
        description="Records the mean of all losses so far",
        message="Each entry of your list is the mean of all losses so far, which makes a smooth "
        "curve that comes too late. Of which batch should an entry speak?",
        edits={"loss.item()": "(sum(losses) + loss.item()) / (len(losses) + 1)"},
    ),
    Variant(
        tag="train-returns-after-one-batch",
        description="return inside the loop: only the first batch is used",
        message="Your function returns after the first batch: the others are never seen. How far "
        "is your `return` indented?",
        edits={"    return losses": "        return losses"},
    ),
    Variant(
        tag="train-counts-the-batches",
        description="Uses len(batches) or an index: a generator has neither",
        message="You ask `batches` for its length or for an item by number. A list can tell, but a "
        "generator just hands out one batch after the other. Which loop needs neither?",
        edits={
            "    for src, tgt in batches:": "    for i in range(len(batches)):\n"
            "        src, tgt = batches[i]"
        },
    ),
    Variant(
        tag="train-two-passes",
        description="Goes through the batches more than once",
        message="You go through the batches more than once. A generator gives each of them out "
        "once, and the list should have one loss a batch. Who decides here how often a batch comes "
        "back?",
        edits={
            "    for src, tgt in batches:": "    batches = list(batches)\n"
            "    for src, tgt in batches + batches:"
        },
    ),
    Variant(
        tag="train-nothing-returned",
        description="Trains, but returns nothing",
        message="Your function trains and comes to its end without handing anything back, so its "
        "caller gets None. Printing a loss shows it to you; which statement hands it over?",
        edits={"    return losses\n": ""},
    ),
)

MISCONCEPTIONS = (*WRONG_TARGETS, *WRONG_LOSS, *WRONG_STEP, *WRONG_LOSSES)
