"""What learners get wrong in train: step."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import CLEAR

MISCONCEPTIONS = (
    Variant(
        tag="train-no-zero-grad",
        description="Never clears the gradients",
        message="You never clear the gradients. `backward` adds to what is there, so each step "
        "follows the sum of all batches so far and the oldest push on for ever. Which method of "
        "the optimiser clears them?",
        edits={CLEAR: ""},
    ),
    Variant(
        tag="train-zero-grad-once",
        description="Clears the gradients once, before the loop",
        message="You clear the gradients once, before the first batch. But `backward` adds to what "
        "is there for every batch anew. How often do they have to be cleared?",
        edits={CLEAR: "", "    losses = []\n": "    losses = []\n    optimiser.zero_grad()\n"},
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
