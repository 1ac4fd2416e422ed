# named: self-attention-output-projected
# a fourth linear layer, under a name of its own
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.d_k = d_k
        self.proj = nn.Linear(d_k, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        p = F.softmax(q @ k.transpose(1, 2) / self.d_k**0.5, -1)
        return self.proj(p @ v), p
