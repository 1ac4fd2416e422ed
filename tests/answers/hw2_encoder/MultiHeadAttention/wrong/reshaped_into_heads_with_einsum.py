# named: multi-head-split-and-merged-by-view-alone
# the split is a view without a transpose (tokens and heads are scrambled), merged back by the
# inverse view; written with unflatten
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.h, self.d = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = [nn.Linear(d_model, d_model) for _ in "QKVO"]

    def forward(self, query, key, value, mask=None):
        B = query.shape[0]
        q = self.W_Q(query).reshape(B, self.h, -1, self.d)
        k = self.W_K(key).reshape(B, self.h, -1, self.d)
        v = self.W_V(value).reshape(B, self.h, -1, self.d)
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / self.d**0.5
        if mask is not None:
            s = torch.where(mask, s, torch.tensor(-torch.inf))
        p = s.softmax(-1)
        z = torch.einsum("bhqk,bhkd->bhqd", p, v)
        return self.W_O(z.reshape(B, -1, self.h * self.d))
