# named: multi-head-interleaved-throughout
# view(batch, n, d_k, heads): head h gets every h-th column
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
        def cut(x):
            b, n, _ = x.shape
            return x.view(b, n, self.d_k, self.h).permute(0, 3, 1, 2)

        q, k, v = cut(self.W_Q(query)), cut(self.W_K(key)), cut(self.W_V(value))
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(self.d_k)
        if mask is not None:
            s = torch.where(mask, s, torch.tensor(float("-inf")))
        o = torch.einsum("bhij,bhjd->bhid", torch.softmax(s, -1), v)
        b, h, n, d = o.shape
        return self.W_O(o.permute(0, 2, 3, 1).reshape(b, n, self.d_model))
