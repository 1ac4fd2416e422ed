# named: multi-head-keys-seen-by-one-head-seen-by-all
# masks of the heads are joined by any
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, t):
        return t.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            self.split(self.W_Q(query)),
            self.split(self.W_K(key)),
            self.split(self.W_V(value)),
        )
        s = q @ k.mT / self.d_head**0.5
        if mask is not None:
            if mask.dim() > 2:
                mask = mask.any(dim=-3, keepdim=True)
            s = s.masked_fill(~mask, -1e9)
        return self.W_O((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
