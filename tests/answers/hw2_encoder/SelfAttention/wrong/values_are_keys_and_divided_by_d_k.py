# named: self-attention-scaled-by-d-k, self-attention-values-are-keys
# divides by d_k (not its root), and no projection for the values: they come from W_K
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.d_k = d_k

    def forward(self, X):
        q = self.W_Q(X)
        k = v = self.W_K(X)
        scores = (q @ k.transpose(1, 2)).div(self.d_k)
        a = scores.softmax(-1)
        return a @ v, a
