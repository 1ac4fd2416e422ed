"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x)
        hidden = F.relu(hidden)
        output = self.linear2(hidden)
        return output
"""
