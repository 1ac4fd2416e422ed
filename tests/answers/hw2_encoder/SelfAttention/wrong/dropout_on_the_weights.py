# named: self-attention-dropout
# nn.Dropout on the weights
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.drop = nn.Dropout(0.1)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        attn = self.drop(F.softmax(q @ k.transpose(-1, -2) / self.d_k**0.5, dim=-1))
        return attn @ v, attn
