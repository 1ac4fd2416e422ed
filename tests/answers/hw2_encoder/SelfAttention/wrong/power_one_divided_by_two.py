# named: self-attention-scaled-by-half-of-d-k
# d_k ** 1/2
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = torch.matmul(q, k.transpose(-2, -1)) / (self.d_k**1 / 2)
        attn = F.softmax(scores, dim=-1)
        return torch.matmul(attn, v), attn
