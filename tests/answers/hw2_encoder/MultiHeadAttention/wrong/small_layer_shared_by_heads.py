# named: multi-head-one-head-wide-layers
# one small linear layer shared by all heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(self.d_head, self.d_head)
        self.W_K = nn.Linear(self.d_head, self.d_head)
        self.W_V = nn.Linear(self.d_head, self.d_head)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

        Q, K, V = self.W_Q(split(query)), self.W_K(split(key)), self.W_V(split(value))
        scores = Q @ K.mT / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        return self.W_O((scores.softmax(-1) @ V).transpose(1, 2).flatten(2))
