# named: multi-head-indivisible-accepted, multi-head-no-output-projection
# the output projection is missing, and nothing refuses heads that do not fit
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def heads(x):
            return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

        q, k, v = heads(self.W_Q(query)), heads(self.W_K(key)), heads(self.W_V(value))
        scores = q @ k.mT / self.d_head**0.5
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -torch.inf)
        return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
