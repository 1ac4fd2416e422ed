# named: multi-head-scaled-by-d-model
# scaled by the root of d_model; beside a harmless assertion, a loop over heads and -1e9
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError(f"{d_model=} is not divisible by {n_heads=}")
        self.d_model = d_model
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        assert key.shape[1] == value.shape[1]
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        width = self.d_model // self.n_heads
        if mask is not None:
            full = (query.shape[0], self.n_heads, query.shape[1], key.shape[1])
            mask = torch.broadcast_to(mask, full)
        found = []
        for h in range(self.n_heads):
            mine = slice(h * width, (h + 1) * width)
            scores = Q[..., mine] @ K[..., mine].transpose(1, 2) / math.sqrt(self.d_model)
            if mask is not None:
                scores = scores.masked_fill(~mask[:, h], -1e9)
            found.append(torch.softmax(scores, dim=-1) @ V[..., mine])
        return self.W_O(torch.cat(found, dim=-1))
