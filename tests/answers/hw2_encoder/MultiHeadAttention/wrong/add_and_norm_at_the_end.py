# named: multi-head-normalised-by-a-layer
# a residual and a layer norm at the end
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.d_model, self.n_heads, self.d_head = d_model, n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, query, key, value, mask=None):
        B = query.size(0)
        q, k, v = [
            lin(t).reshape(B, -1, self.n_heads, self.d_head).transpose(1, 2)
            for lin, t in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        ]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        p = scores.softmax(-1)
        ctx = p @ v
        return self.layer_norm(query + self.W_O(ctx.transpose(1, 2).reshape(B, -1, self.d_model)))
