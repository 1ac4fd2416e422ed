# named: multi-head-merged-by-view-alone
# merged without transposing back (reshape), einsum style with -inf mask
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("no")
        self.h, self.d = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, query, key, value, mask=None):
        b, n, _ = query.shape
        q = self.W_Q(query).reshape(b, -1, self.h, self.d)
        k = self.W_K(key).reshape(b, -1, self.h, self.d)
        v = self.W_V(value).reshape(b, -1, self.h, self.d)
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / self.d**0.5
        if mask is not None:
            s = torch.where(mask, s, torch.tensor(float("-inf")))
        o = torch.einsum("bhqk,bkhd->bhqd", s.softmax(-1), v)
        return self.W_O(o.reshape(b, n, self.h * self.d))
