# named: self-attention-not-to-itself
# the score of a token with itself is hidden (the diagonal is masked out)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        scores = self.W_Q(X) @ self.W_K(X).mT / self.d_k**0.5
        if X.shape[1] > 1:
            itself = torch.eye(X.shape[1], dtype=torch.bool)
            scores = scores.masked_fill(itself, float("-inf"))
        weights = scores.softmax(dim=-1)
        return weights @ self.W_V(X), weights
