# named: multi-head-keys-of-all-sentences-added
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.h = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            f(x).unflatten(2, (self.h, -1))
            for f, x in zip((self.W_Q, self.W_K, self.W_V), (query, key, value))
        )
        s = torch.einsum("bihd,cjhd->bhij", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        return self.W_O(torch.einsum("bhij,bjhd->bihd", s.softmax(-1), v).flatten(2))
