# hidden scores are -1e4, which is low enough; weights drawn with std 0.02
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        for layer in (self.W_Q, self.W_K, self.W_V, self.W_O):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)

    def forward(self, query, key, value, mask=None):
        def heads(x):
            return x.reshape(x.size(0), x.size(1), self.n_heads, self.d_head).permute(0, 2, 1, 3)

        q, k, v = heads(self.W_Q(query)), heads(self.W_K(key)), heads(self.W_V(value))
        scores = q.matmul(k.mT).div(self.d_head**0.5)
        if mask is not None:
            scores = torch.where(mask, scores, -1e4)
        out = scores.softmax(dim=-1).matmul(v)
        return self.W_O(out.permute(0, 2, 1, 3).reshape(query.shape))
