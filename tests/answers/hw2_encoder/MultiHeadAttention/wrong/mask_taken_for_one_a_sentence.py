# named: multi-head-mask-gets-an-axis-for-heads, multi-head-mask-of-the-first-head-for-all
# the mask takes a 4-axes shape for granted (mask[:, 0]), loops over heads, so that per-head masks use head 0's for all
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        qs, ks, vs = (
            layer(t).chunk(self.n_heads, dim=-1)
            for layer, t in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        if mask is not None and mask.dim() == 4:
            mask = mask[:, 0]
        out = []
        for q, k, v in zip(qs, ks, vs):
            s = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
            if mask is not None:
                s = s.masked_fill(~mask, -math.inf)
            out.append(s.softmax(-1) @ v)
        return self.W_O(torch.cat(out, -1))
