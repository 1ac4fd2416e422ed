# named: multi-head-merged-by-view-alone
# heads by chunk and stack, merged by reshape without swapping back
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
        q = torch.stack(self.W_Q(query).chunk(self.h, dim=-1), dim=1)
        k = torch.stack(self.W_K(key).chunk(self.h, dim=-1), dim=1)
        v = torch.stack(self.W_V(value).chunk(self.h, dim=-1), dim=1)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
        out = torch.einsum("bhqk,bhkd->bhqd", scores.softmax(dim=-1), v)
        return self.W_O(out.reshape(query.shape[0], query.shape[1], self.d_model))
