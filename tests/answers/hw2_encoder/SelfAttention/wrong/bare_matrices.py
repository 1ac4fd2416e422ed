# named: self-attention-matrices-instead-of-layers
# nn.Parameter in place of nn.Linear
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Parameter(torch.randn(d_model, d_k))
        self.W_K = nn.Parameter(torch.randn(d_model, d_k))
        self.W_V = nn.Parameter(torch.randn(d_model, d_k))

    def forward(self, X):
        Q = X @ self.W_Q
        K = X @ self.W_K
        V = X @ self.W_V
        d_k = Q.size(-1)
        scores = torch.bmm(Q, K.transpose(-2, -1)) / d_k**0.5
        attn = F.softmax(scores, dim=-1)
        out = torch.bmm(attn, V)
        return out, attn
