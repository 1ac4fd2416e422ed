# named: multi-head-keys-and-values-shared
# all heads share the first one's keys and values
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q = self.W_Q(query).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        k = self.W_K(key)[..., : self.d_head].unsqueeze(1)
        v = self.W_V(value)[..., : self.d_head].unsqueeze(1)
        scores = q @ k.mT / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return self.W_O((scores.softmax(-1) @ v).transpose(1, 2).flatten(-2))
