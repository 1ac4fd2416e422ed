# named: multi-head-hidden-scores-not-low-enough
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("not divisible")
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def heads(x):
            return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

        scores = heads(self.W_Q(query)) @ heads(self.W_K(key)).mT / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -20.0)
        weights = F.softmax(scores, dim=-1)
        return self.W_O((weights @ heads(self.W_V(value))).transpose(1, 2).flatten(2))
