# named: multi-head-indivisible-accepted, multi-head-mask-after-softmax
# mask zeroes weights after softmax; no ValueError
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.dk = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B = query.shape[0]
        split = lambda t: t.reshape(B, t.shape[1], self.h, self.dk).transpose(1, 2)
        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        w = F.softmax(q @ k.transpose(2, 3) / self.dk**0.5, dim=-1)
        if mask is not None:
            w = w.masked_fill(~mask, 0.0)
        out = (w @ v).transpose(1, 2).reshape(B, query.shape[1], self.h * self.dk)
        return self.W_O(out)
