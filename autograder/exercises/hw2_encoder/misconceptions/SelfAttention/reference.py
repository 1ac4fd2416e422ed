"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        batch, seq, d_model = X.shape
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = Q @ K.transpose(1, 2)
        scores = scores / math.sqrt(self.d_k)
        weights = torch.softmax(scores, dim=-1)
        output = weights @ V
        return output, weights
"""

NOT_MISTAKES = ("rounded",)  # self-attention-results-rounded says it
