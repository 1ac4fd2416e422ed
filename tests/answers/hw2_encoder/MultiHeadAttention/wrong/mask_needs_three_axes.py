# named: multi-head-mask-gets-an-axis
# mask.unsqueeze(1) as annotated code does: a mask of four axes breaks
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        n = query.size(0)
        query, key, value = (
            f(x).view(n, -1, self.h, self.d_k).transpose(1, 2)
            for f, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        x = scores.softmax(dim=-1) @ value
        return self.W_O(x.transpose(1, 2).contiguous().view(n, -1, self.d_model))
