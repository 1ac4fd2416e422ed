"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

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

NOT_MISTAKES = ("plain-list", "list-of-rows", "in-numpy")  # a list of numbers is asked for

LOSS = "F.cross_entropy(logits.flatten(0, 1), wanted.flatten())"
CLEAR = "        optimiser.zero_grad()\n"
