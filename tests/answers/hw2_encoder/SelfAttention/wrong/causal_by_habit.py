# named: self-attention-always-causal
# adds a causal mask
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.register_buffer("tril", torch.tril(torch.ones(1024, 1024)))

    def forward(self, X):
        B, T, C = X.shape
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        return wei @ v, wei
