# named: self-attention-projections-cut-as-they-lie
# the joined projections are reshaped to (3, batch, seq, d_k), which mixes all three
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        b, t, _ = X.shape
        qkv = torch.cat([self.W_Q(X), self.W_K(X), self.W_V(X)], dim=-1)
        q, k, v = qkv.reshape(3, b, t, self.d_k)
        weights = torch.softmax(q @ k.transpose(-1, -2) / self.d_k**0.5, dim=-1)
        return weights @ v, weights
