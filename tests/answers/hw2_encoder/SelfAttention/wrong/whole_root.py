# named: self-attention-scale-cut-off
# math.isqrt for the root
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.scale = math.isqrt(d_k)

    def forward(self, X):
        attn = F.softmax(self.W_Q(X) @ self.W_K(X).mT / self.scale, dim=-1)
        return attn @ self.W_V(X), attn
