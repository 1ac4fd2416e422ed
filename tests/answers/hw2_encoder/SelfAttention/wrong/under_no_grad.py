# named: self-attention-no-gradient
# all of forward under no_grad
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        with torch.no_grad():
            q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
            attn = torch.softmax(q @ k.mT / self.d_k**0.5, -1)
            return attn @ v, attn
