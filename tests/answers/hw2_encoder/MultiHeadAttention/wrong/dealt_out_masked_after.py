# named: multi-head-interleaved-throughout, multi-head-mask-after-softmax
# deals columns out in turns, and masks weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("bad number of heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.view(x.size(0), x.size(1), self.d_head, self.n_heads).permute(0, 3, 1, 2)

        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)
        if mask is not None:
            weights = weights * mask
        out = (weights @ v).permute(0, 2, 3, 1)
        return self.W_O(out.reshape(query.shape))
