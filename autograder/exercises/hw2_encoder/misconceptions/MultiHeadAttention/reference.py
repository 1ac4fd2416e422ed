"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("n_heads doesn't divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(len(x), -1, self.n_heads, self.d_head).transpose(1, 2)

    def merge(self, x):
        return x.transpose(1, 2).reshape(len(x), -1, self.n_heads * self.d_head)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        Q, K, V = self.split(Q), self.split(K), self.split(V)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        context = self.merge(weights @ V)
        output = self.W_O(context)
        return output
"""

PREFIX = "multi-head"  # of the tags

STYLES = {"large-number": {"-math.inf": "-1e9"}}

FILL = "scores = scores.masked_fill(~mask, -math.inf)"
