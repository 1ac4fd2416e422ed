# named: self-attention-relu-behind-the-projections
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = (torch.relu(layer(X)) for layer in (self.W_Q, self.W_K, self.W_V))
        attn = torch.softmax(q @ k.transpose(1, 2) / q.size(-1) ** 0.5, dim=-1)
        return attn @ v, attn
