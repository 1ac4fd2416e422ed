# named: crash-shapes
# slice(h*n_heads, (h+1)*n_heads) instead of d_head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        heads = []
        for h in range(self.n_heads):
            cols = slice(h * self.n_heads, (h + 1) * self.n_heads)
            q, k, v = Q[..., cols], K[..., cols], V[..., cols]
            scores = q @ k.transpose(1, 2) / math.sqrt(self.d_head)
            if mask is not None:
                m = mask if mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
                scores = scores.masked_fill(~m, -1e9)
            heads.append(torch.softmax(scores, -1) @ v)
        return self.W_O(torch.cat(heads, -1))
