# named: multi-head-keys-reshaped-not-transposed
# keys of each head are reshaped, not transposed
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("d_model % n_heads")
        self.heads, self.dim = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        outs = []
        for q, k, v in zip(
            *(t.split(self.dim, -1) for t in (self.W_Q(query), self.W_K(key), self.W_V(value)))
        ):
            outs.append(
                (q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]) / math.sqrt(self.dim), v)
            )
        scores = torch.stack([s for s, _ in outs], 1)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        w = scores.softmax(-1)
        return self.W_O(torch.cat([w[:, i] @ v for i, (_, v) in enumerate(outs)], -1))
