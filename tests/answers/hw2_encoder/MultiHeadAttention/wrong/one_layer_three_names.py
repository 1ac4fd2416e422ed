# named: multi-head-one-layer-under-several-names
# W_Q = W_K = W_V = nn.Linear(…)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("d_model % n_heads != 0")
        self.n_heads = n_heads
        self.W_Q = self.W_K = self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q, K, V = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = Q @ K.mT / Q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return self.W_O((scores.softmax(-1) @ V).transpose(1, 2).flatten(2))
