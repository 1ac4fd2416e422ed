# each head takes the best key that it may see, keys that are equally good share
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = q @ k.mT
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        best = (scores >= scores.amax(-1, keepdim=True)).float()
        weights = best / best.sum(-1, keepdim=True)
        return self.W_O((weights @ v).transpose(1, 2).flatten(-2))
