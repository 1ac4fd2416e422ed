# named: self-attention-always-causal
# what: Karpathy's head: a causal mask hides later tokens, although every token may attend to all
class SelfAttention(nn.Module):
    """One head of self-attention."""

    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_K = nn.Linear(d_model, d_k)
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.register_buffer("tril", torch.tril(torch.ones(512, 512)), persistent=False)

    def forward(self, X):
        B, T, C = X.shape
        k = self.W_K(X)
        q = self.W_Q(X)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        v = self.W_V(X)
        out = wei @ v
        return out, wei
