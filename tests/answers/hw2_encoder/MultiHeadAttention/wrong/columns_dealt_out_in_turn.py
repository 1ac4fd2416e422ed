# named: multi-head-interleaved-throughout
# heads are interleaved: head h takes the columns h, h + n_heads, ... (view as d_head, n_heads)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.view(*x.shape[:2], self.d_head, self.n_heads).permute(0, 3, 1, 2)

    def forward(self, query, key, value, mask=None):
        Q, K, V = (
            self.heads(self.W_Q(query)),
            self.heads(self.W_K(key)),
            self.heads(self.W_V(value)),
        )
        scores = Q @ K.transpose(-2, -1) / self.d_head**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ V
        return self.W_O(out.permute(0, 2, 3, 1).reshape(*query.shape))
