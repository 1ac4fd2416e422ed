# the mean of all values that a query may see
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
        shape = (len(query), self.n_heads, query.shape[1], key.shape[1])
        seen = torch.ones(shape) if mask is None else mask.expand(shape).float()
        weights = seen / seen.sum(-1, keepdim=True)
        values = self.W_V(value).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        return self.W_O((weights @ values).transpose(1, 2).flatten(-2))
