# named: multi-head-softmax-over-queries
# einsum in the order nqhd, softmax over axis 1 of (b, q, k, h)
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
        N = query.shape[0]
        q = self.W_Q(query).reshape(N, query.shape[1], self.h, self.d_k)
        k = self.W_K(key).reshape(N, key.shape[1], self.h, self.d_k)
        v = self.W_V(value).reshape(N, value.shape[1], self.h, self.d_k)
        e = torch.einsum("nqhd,nkhd->nhqk", [q, k])
        if mask is not None:
            e = e.masked_fill(mask == False, float("-1e20"))
        a = torch.softmax(e / (self.d_k ** (1 / 2)), dim=2)
        out = torch.einsum("nhql,nlhd->nqhd", [a, v]).reshape(N, query.shape[1], self.d_model)
        return self.W_O(out)
