# named: multi-head-output-bias-for-each-head
# the parts of W_O are summed over the heads, with its bias each time
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("heads")
        self.nh = n_heads
        self.hd = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        total = 0
        for h in range(self.nh):
            c = slice(h * self.hd, (h + 1) * self.hd)
            q, k, v = self.W_Q(query)[..., c], self.W_K(key)[..., c], self.W_V(value)[..., c]
            s = q @ k.transpose(1, 2) / math.sqrt(self.hd)
            if mask is not None:
                m = (
                    mask
                    if mask.dim() < 3
                    else mask.expand(len(query), self.nh, -1, -1)[:, h]
                    if mask.dim() == 4
                    else mask.expand(self.nh, -1, -1)[h]
                )
                s = s.masked_fill(~m, -1e9)
            total = total + F.linear(s.softmax(-1) @ v, self.W_O.weight[:, c], self.W_O.bias)
        return total
