# named: multi-head-no-output-projection, multi-head-softmax-over-queries
# two mistakes: no W_O at the end, and softmax over the queries (dim=-2)
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
        Q, K, V = (
            t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for t in (self.W_Q(query), self.W_K(key), self.W_V(value))
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        context = torch.softmax(scores, dim=2) @ V
        return context.transpose(1, 2).flatten(-2)
