# named: multi-head-mask-of-another-sentence
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.h = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        fold = lambda t: torch.cat(t.chunk(self.h, -1), 0)
        q, k, v = fold(self.W_Q(query)), fold(self.W_K(key)), fold(self.W_V(value))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            m = mask.expand(query.shape[0], self.h, query.shape[1], key.shape[1]).flatten(0, 1)
            s = s.masked_fill(~m, -math.inf)
        out = s.softmax(-1) @ v
        return self.W_O(torch.cat(out.chunk(self.h, 0), -1))
