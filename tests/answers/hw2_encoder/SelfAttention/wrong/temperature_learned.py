# named: self-attention-trains-too-much
# the scale is one more parameter that learns
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.temperature = nn.Parameter(torch.tensor(d_k**0.5))

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        attn = torch.softmax(q @ k.mT / self.temperature, dim=-1)
        return attn @ v, attn
