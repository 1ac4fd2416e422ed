# named: multi-head-scores-averaged
# the scores of all heads are averaged, so every head attends alike
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.view(*x.shape[:2], self.n_heads, self.d_head).transpose(1, 2)

        Q, K, V = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        scores = Q @ K.transpose(-1, -2) / math.sqrt(self.d_head)
        scores = scores.mean(dim=1, keepdim=True).expand_as(scores)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        context = scores.softmax(dim=-1) @ V
        return self.W_O(context.transpose(1, 2).flatten(-2))
