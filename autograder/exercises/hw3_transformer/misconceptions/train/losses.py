"""What learners get wrong in train: losses."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="train-logits-squeezed",
        description="Squeezes the logits: a batch of one loses an axis",
        message="A batch of one row is as good as any other, but here your loss breaks off: "
        "`squeeze()` without a number removes every axis of length 1 from the logits. Which axis "
        "was there to remove?",
        edits={"logits = model(src, read)": "logits = model(src, read).squeeze()"},
    ),
    Variant(
        tag="train-stops-early",
        description="Stops as soon as the loss of a batch is small",
        message="As soon as a batch goes well you stop, so those that follow are neither learned "
        "nor have a loss. `train` goes through all of its batches once. When it is enough is for "
        "the caller to decide.",
        edits={
            "        losses.append(loss.item())\n": (
                "        losses.append(loss.item())\n"
                "        if losses[-1] < 0.05:\n"
                "            break\n"
            )
        },
    ),
    Variant(
        tag="train-loss-after-the-step",
        description="Records the loss after the step",
        message="The loss that you record was measured after the step, on the very batch just "
        "learned, so the model looks better than it is. Only before the step does a batch tell "
        "honestly how good the model is.",
        edits={
            "losses.append(loss.item())": "with torch.no_grad():\n"
            "            after = model(src, read).flatten(0, 1)\n"
            "        losses.append(F.cross_entropy(after, wanted.flatten()).item())"
        },
    ),
    Variant(
        tag="train-tensors",
        description="Returns tensors instead of floats",
        message="Your losses are tensors, or numbers of one of NumPy's types, instead of plain "
        "floats; a tensor may keep the whole computation behind it alive until memory runs out. "
        "How does a tensor of one number become a float?",
        edits={"loss.item()": "loss"},
    ),
    Variant(
        tag="train-losses-in-bits",
        description="Divides the losses that it returns by log 2",
        message="The losses that you return are 1.44 times as large as they should be, as if they "
        "were counted in bits, by a logarithm to base 2; your model learns as it should. The "
        "cross-entropy takes the natural one. What do you do with a loss before you keep it?",
        edits={"losses.append(loss.item())": "losses.append(loss.item() / math.log(2))"},
    ),
    Variant(
        tag="train-last-loss",
        description="Returns the last loss alone",
        message="You return a single number, the loss of the last batch. To draw the curve, one "
        "needs a number for each batch. What is kept from each round of your loop, and what is "
        "returned?",
        edits={"return losses": "return losses[-1]"},
    ),
    Variant(
        tag="train-mean-loss",
        description="Returns the mean of all batches",
        message="You return a single number, the mean over all batches. To draw the curve, one "
        "needs a number for each batch. What is collected in your loop, and what is returned?",
        edits={"return losses": "return sum(losses) / len(losses)"},
    ),
    Variant(
        tag="train-running-mean",
        description="Records the mean of all losses so far",
        message="Each entry of your list is the mean of all losses so far, which gives a smooth "
        "curve that lags behind the model. An entry should stand for one batch alone.",
        edits={
            "losses = []": "losses, total = [], 0.0",
            "losses.append(loss.item())": "total += loss.item()\n"
            "        losses.append(total / (len(losses) + 1))",
        },
    ),
    Variant(
        tag="train-averaged-with-the-list",
        description="Records the mean of the new loss and all entries before it",
        message="Each entry of your list is a mean of the new loss and of the entries before it, "
        "which are means themselves. An entry should stand for one batch alone.",
        edits={"loss.item()": "(sum(losses) + loss.item()) / (len(losses) + 1)"},
    ),
    Variant(
        tag="train-returns-after-one-batch",
        description="return inside the loop: only the first batch is used",
        message="Your function returns after the first batch, so the others are never seen. How "
        "far is your `return` indented?",
        edits={"    return losses": "        return losses"},
    ),
    Variant(
        tag="train-smaller-batches-left-out",
        description="Leaves out batches with fewer rows than the first",
        message="A batch that has fewer rows than the first is left out in your code: it has no "
        "loss, and nothing is learned from it. The last batch of an epoch is often a small one, "
        "and its texts are as good as any. Which line of yours looks at the number of rows?",
        edits={
            "losses = []": "losses, rows = [], 0",
            "in batches:\n": "in batches:\n"
            "        rows = rows or len(src)\n"
            "        if len(src) < rows:\n"
            "            continue\n",
        },
    ),
    Variant(
        tag="train-a-batch-without-loss",
        description="Fewer losses than batches: stops early, or leaves a batch out",
        message="Your list holds fewer losses than there are batches: either your loop ends before "
        "the batches do, or it leaves one out. How many batches there are is for the caller to "
        "decide. What can end your loop, and does every batch get to the line that keeps its loss?",
        edits={
            "losses.append(loss.item())": "losses.append(loss.item())\n"
            "        if losses[-1] > losses[0] - 1e-4 and len(losses) > 1:\n            break"
        },
    ),
    Variant(
        tag="train-counts-the-batches",
        description="Uses len(batches) or an index: a generator has neither",
        message="You ask `batches` for its length, or for an item by number. A list can answer, "
        "but a generator just hands out one batch after the other. A plain `for` loop needs "
        "neither.",
        edits={
            "    for src, tgt in batches:": "    for i in range(len(batches)):\n"
            "        src, tgt = batches[i]"
        },
    ),
    Variant(
        tag="train-two-passes",
        description="Goes through the batches more than once",
        message="You go through the batches more than once. A generator hands out each of them "
        "once, and the list should have one loss per batch. How often a batch comes back is for "
        "the caller to decide.",
        edits={
            "    for src, tgt in batches:": "    batches = list(batches)\n"
            "    for src, tgt in batches + batches:"
        },
    ),
    Variant(
        tag="train-generator-used-up",
        description="Goes through the batches before the loop: a generator is empty then",
        message="From a list your function learns, but for a generator your list of losses is "
        "empty: a generator hands out each batch once, and by the time your loop starts, all are "
        "gone. What goes through `batches` before the loop does?",
        edits={
            "    for src, tgt in batches:": "    count = sum(1 for _ in batches)\n"
            "    for src, tgt in batches:"
        },
    ),
    Variant(
        tag="train-losses-not-kept",
        description="Returns an empty list: no loss is ever put into it",
        message="Your list of losses stays empty, however many batches come. A curve needs one "
        "number for each. What happens to a loss before the next round begins?",
        edits={"losses.append(loss.item())": "losses + [loss.item()]"},
    ),
    Variant(
        tag="train-last-loss-in-a-list",
        description="Returns a list of one loss: made or cut inside the loop",
        message="After several batches your list holds a single loss, that of the last one. To "
        "draw the curve, one needs a number for each batch. Where is your list made, and does "
        "anything empty it?",
        edits={"    losses = []\n": "", "        read =": "        losses = []\n        read ="},
    ),
)
