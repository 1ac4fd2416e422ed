# named: multi-head-heads-averaged-and-repeated
# the heads are averaged and repeated in place of being put side by side
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
            torch.stack(t.chunk(self.n_heads, dim=-1), dim=1)
            for t in (self.W_Q(query), self.W_K(key), self.W_V(value))
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        context = torch.softmax(scores, dim=-1) @ V
        return self.W_O(context.mean(dim=1).repeat(1, 1, self.n_heads))
