# named: self-attention-dropout-always-a-tenth-and-returned
# F.dropout without training=: drops out weights in both modes
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.scale = d_k**-0.5

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        attn = torch.softmax(q @ k.mT * self.scale, dim=-1)
        attn = F.dropout(attn, 0.1)
        return attn @ v, attn
