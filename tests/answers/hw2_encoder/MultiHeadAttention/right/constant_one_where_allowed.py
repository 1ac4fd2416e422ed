# adds 1 where a key may be seen: a constant changes no share
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"{d_model=} is not divisible by {n_heads=}")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).movedim(-2, 1)
            for layer, x in zip((self.W_Q, self.W_K, self.W_V), (query, key, value))
        )
        scores = q @ k.mT / k.shape[-1] ** 0.5
        if mask is not None:
            scores = scores + torch.where(mask, 1.0, -math.inf)  # a constant changes no share
        return self.W_O((scores.softmax(-1) @ v).movedim(1, -2).flatten(-2))
