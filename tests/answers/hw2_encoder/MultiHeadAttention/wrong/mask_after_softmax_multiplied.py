# named: multi-head-mask-after-softmax
# weights multiplied by the mask after softmax; min(n, n) beside it
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
        bs, n_q = query.size(0), query.size(1)
        heads = max(1, min(self.h, self.d_model))
        q = self.W_Q(query).view(bs, -1, heads, self.d_k).transpose(1, 2)
        k = self.W_K(key).view(bs, -1, heads, self.d_k).transpose(1, 2)
        v = self.W_V(value).view(bs, -1, heads, self.d_k).transpose(1, 2)
        w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_k), dim=-1)
        if mask is not None:
            w = w * mask
        return self.W_O((w @ v).transpose(1, 2).reshape(bs, n_q, self.d_model))
