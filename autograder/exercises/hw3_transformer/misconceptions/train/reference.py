"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

from autograder.testing import WorkedExample

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

SHARES = WorkedExample(
    """
A model of three tokens: 0 begins a text, 1 is a word, and 2 ends the text. Whatever it has read, it
gives 1 a share of 0.6, 2 one of 0.3, and 0 the rest.

The text is 0, 1, 1, 2. Its four tokens make three questions: what follows the 0, what follows the
first 1, and what follows the second? The right answers are 1, 1 and 2. Nobody has to foresee the 0,
and nothing follows the 2.

A right answer costs the logarithm of its share, without the minus sign: 0.51 for a share of 0.6,
and 1.2 for one of 0.3. The loss is the mean of all three, (0.51 + 0.51 + 1.2)/3 = 0.74.

Which tokens does your loss ask for, how many are they, and what becomes of the model's numbers on
their way to it?""",
    """\
class Sure(nn.Module):
    def __init__(self):
        super().__init__()
        self.logits = nn.Parameter(torch.tensor([0.1, 0.6, 0.3]).log())

    def forward(self, src, tgt):
        return self.logits.expand(*tgt.shape, 3)

text = torch.tensor([[0, 1, 1, 2]])
train(Sure(), [(text, text)], lr=0.0)""",
    [0.741875],
)
