# named: multi-head-scaled-on-one-side
# only the queries are divided by the fourth root
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("no")
        self.h = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
            for f, x in zip((self.W_Q, self.W_K, self.W_V), (query, key, value))
        )
        q = q * q.shape[-1] ** -0.25
        s = q @ k.mT
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        return self.W_O((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
