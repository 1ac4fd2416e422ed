# named: multi-head-mask-inverted
# mask read the wrong way round (True = hidden), fill -1e9, heads in a loop over slices
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError(f"{d_model} % {n_heads}")
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        full = None
        if mask is not None:
            full = mask.expand(Q.shape[0], self.n_heads, Q.shape[1], K.shape[1])
        heads = []
        for h in range(self.n_heads):
            cols = slice(h * self.d_head, (h + 1) * self.d_head)
            s = Q[..., cols] @ K[..., cols].transpose(1, 2) / math.sqrt(self.d_head)
            if full is not None:
                s = s.masked_fill(full[:, h], -1e9)
            heads.append(torch.softmax(s, dim=-1) @ V[..., cols])
        return self.W_O(torch.cat(heads, dim=-1))
