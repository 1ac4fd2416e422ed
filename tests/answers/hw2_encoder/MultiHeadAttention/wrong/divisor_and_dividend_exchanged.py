# named: multi-head-divisible-refused
# n_heads % d_model, so whatever fits is refused
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if n_heads % d_model != 0:
            raise ValueError("not divisible")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        split = lambda x: x.unflatten(2, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        return self.W_O((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
