# named: multi-head-hidden-scores-near-zero, multi-head-scaled-by-d-head
# fill of -1e-9, and the scale is d_k without its root
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b = query.size(0)
        q = self.W_Q(query).view(b, -1, self.h, self.d_k).transpose(1, 2)
        k = self.W_K(key).view(b, -1, self.h, self.d_k).transpose(1, 2)
        v = self.W_V(value).view(b, -1, self.h, self.d_k).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / self.d_k
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e-9)
        out = scores.softmax(-1) @ v
        return self.W_O(out.transpose(1, 2).reshape(b, -1, self.d_model))
