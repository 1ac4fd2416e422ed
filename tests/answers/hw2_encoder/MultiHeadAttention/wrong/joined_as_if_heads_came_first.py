# named: multi-head-merged-as-if-heads-came-first
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.h, self.dh = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        b, n, d = query.shape
        split = lambda t: t.unflatten(-1, (self.h, self.dh)).transpose(1, 2)
        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        s = q @ k.mT / self.dh**0.5
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        out = (s.softmax(-1) @ v).flatten(0, 1)
        out = out.view(self.h, b, n, self.dh).permute(1, 2, 0, 3)
        return self.W_O(out.reshape(b, n, d))
