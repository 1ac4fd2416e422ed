# named: multi-head-not-scaled, multi-head-softmax-over-heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("no")
        self.h = n_heads
        self.d = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b = query.size(0)
        q, k, v = (
            f(x).view(b, -1, self.h, self.d).transpose(1, 2)
            for f, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        s = q @ k.transpose(-2, -1)
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        w = torch.softmax(s, dim=1)
        return self.W_O((w @ v).transpose(1, 2).reshape(b, -1, self.h * self.d))
