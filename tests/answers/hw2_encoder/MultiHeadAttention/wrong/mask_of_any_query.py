# named: multi-head-mask-of-any-query
# a key is hidden only if no query may see it
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("heads")
        self.nh = n_heads
        self.hd = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B = len(query)
        q, k, v = (
            l(x).reshape(B, -1, self.nh, self.hd).swapaxes(1, 2)
            for l, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        s = q @ k.mT / math.sqrt(self.hd)
        if mask is not None:
            s = s.masked_fill(~mask.any(-2, keepdim=True), -1e9)
        return self.W_O((F.softmax(s, -1) @ v).swapaxes(1, 2).reshape(B, -1, self.nh * self.hd))
