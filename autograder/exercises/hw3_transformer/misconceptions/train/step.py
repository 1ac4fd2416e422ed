"""What learners get wrong in train: step."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import CLEAR

MISCONCEPTIONS = (
    Variant(
        tag="train-no-zero-grad",
        description="Never clears the gradients",
        message="Your gradients pile up: `backward` adds to what is there, so each step follows "
        "the sum of all batches so far, and old ones push on for ever. One method of the optimiser "
        "clears them.",
        edits={CLEAR: ""},
    ),
    Variant(
        tag="train-zero-grad-once",
        description="Clears the gradients once, before the loop",
        message="You clear the gradients once, before the first batch. But with every batch, "
        "`backward` adds to what is there.",
        edits={CLEAR: "", "    losses = []\n": "    losses = []\n    optimiser.zero_grad()\n"},
    ),
    Variant(
        tag="train-never-moves",
        description="No backward, no step, or gradients cleared between the two: never moves",
        message="Your model never changes. `backward` computes gradients, `step` follows them and "
        "`zero_grad` forgets them, all for the parameters that the optimiser was given. Which of "
        "these do you call, in which order, and whose parameters are they?",
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
        message="Even with lr=0 your model moves, when no step should lead anywhere. Which "
        "learning rate does your optimiser get, and does anything else change the parameters?",
        edits={"lr=lr": "lr=1e-3"},
    ),
    Variant(
        tag="train-another-default",
        description="Another default for lr",
        message="Called without lr, your function takes a different step from the one it takes "
        "with lr=1e-3. Compare the signature in the exercise with yours.",
        edits={"lr=1e-3)": "lr=1e-2)"},
    ),
    Variant(
        tag="train-some-parameters",
        description="The optimiser gets only some of the parameters",
        message="In ten steps some parameters of the model never move, while others do. An "
        "optimiser moves only those that it was given, and only where a gradient arrives. What do "
        "you hand it when you make it?",
        edits={"Adam(model.parameters()": "Adam(list(model.parameters())[-1:]"},
    ),
    Variant(
        tag="train-eval-mode",
        description="Trains in eval mode: no dropout",
        message="A model with dropout learns from you exactly as one without: nothing drops out, "
        "though it should. Eval mode is for using a model. Learning needs its counterpart.",
        edits={"model.train()": "model.eval()"},
    ),
    Variant(
        tag="train-under-no-grad",
        description="Runs the model under torch.no_grad()",
        message="You run the model under `no_grad`, so torch doesn't record how the loss came "
        "about, and `backward` has no way to go back. `no_grad` is for writing, not for learning.",
        edits={
            "        logits = model(src, read)": "        with torch.no_grad():\n"
            "            logits = model(src, read)"
        },
    ),
    Variant(
        tag="train-mode-not-set",
        description="Doesn't call model.train(): a model that comes in eval mode stays in it",
        message="A model that comes to you in eval mode stays in it while it learns: nothing drops "
        "out. Perhaps it was used for decoding just before. It is the task of `train` to set the "
        "mode.",
        edits={"    model.train()\n": ""},
    ),
    Variant(
        tag="train-eval-mode-after-a-batch",
        description="Puts the model into eval mode inside the loop: later batches drop out nothing",
        message="Your model drops out while it learns from the first batch, and later it doesn't: "
        "somewhere in your loop it gets into eval mode, and it is still in it when a later batch "
        "comes. In which mode does each round begin?",
        edits={"losses.append(loss.item())": "losses.append(loss.item())\n        model.eval()"},
    ),
    Variant(
        tag="train-batches-without-a-step",
        description="Steps after every second batch, by the gradients of two",
        message="Some of your batches are followed by no step: after three of them your model is "
        "what it was after two. To add up the gradients of several batches saves memory where "
        "batches are too large for it. Here each batch is one step. What counts the batches in "
        "your loop?",
        edits={
            CLEAR: "        if len(losses) % 2 == 0:\n            optimiser.zero_grad()\n",
            "        loss.backward()\n": "        (loss / 2).backward()\n",
            "        optimiser.step()\n": (
                "        if len(losses) % 2 == 1:\n            optimiser.step()\n"
            ),
        },
    ),
    Variant(
        tag="train-no-step-between-batches",
        description="Steps once, after the loop",
        message="However many batches come before it, the loss of your last batch is that of the "
        "model as it came: in between, nothing was learned. Each batch is followed by a step of "
        "its own. Where in your function is the step, and how far is it indented?",
        edits={
            "        optimiser.step()\n": "",
            "    return losses": "    optimiser.step()\n    return losses",
        },
    ),
    Variant(
        tag="train-drawn-at-random",
        description="Two runs on equal models and batches differ: noise, or what is left of a call",
        message="Trained twice, from the same parameters and on the same batches, your model comes "
        "out different, although it has no dropout. The same batches should lead to the same "
        "model. What does your function draw at random, or keep from an earlier call?",
        edits={
            "loss.backward()\n": "loss.backward()\n        for value in model.parameters():\n"
            "            value.grad.add_(torch.randn_like(value))\n"
        },
    ),
    Variant(
        tag="train-writes-into-the-batches",
        description="Changes the tensors of a batch",
        message="After your function a batch is no longer what it was: something is written into "
        "its tensors. The caller may go through the batches once more. Look for a line that "
        "changes a tensor instead of making a new one.",
        edits={"        optimiser.step()\n": "        optimiser.step()\n        tgt[:, -1] = 0\n"},
    ),
)
