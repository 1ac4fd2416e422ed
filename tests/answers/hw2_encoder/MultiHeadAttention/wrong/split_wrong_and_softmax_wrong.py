# named: multi-head-split-and-merged-by-view-alone, multi-head-softmax-over-queries
# view straight to heads, merged by the same view, and softmax over queries
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
        b, n, _ = query.shape
        q = self.W_Q(query).reshape(b, self.h, n, self.d_k)
        k = self.W_K(key).reshape(b, self.h, -1, self.d_k)
        v = self.W_V(value).reshape(b, self.h, -1, self.d_k)
        sc = q.matmul(k.transpose(2, 3)) / np.sqrt(self.d_k)
        if mask is not None:
            sc = sc.masked_fill(~mask, -1e9)
        w = nn.Softmax(dim=2)(sc)
        return self.W_O(w.matmul(v).reshape(b, n, self.d_model))
