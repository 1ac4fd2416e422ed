# named: self-attention-softmax-over-queries
# the softmax runs over the queries (each column sums to 1), written with a functional softmax
# over the transposed scores
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Linear(d_model, d_k) for _ in range(3))
        self.temperature = d_k**0.5

    def forward(self, X):
        K_on_Q = torch.einsum("bkd,bqd->bkq", self.W_K(X), self.W_Q(X)) / self.temperature
        weights = F.softmax(K_on_Q, dim=-1).mT
        return weights @ self.W_V(X), weights
