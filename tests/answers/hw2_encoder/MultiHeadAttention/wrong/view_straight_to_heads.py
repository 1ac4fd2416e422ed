# named: multi-head-split-by-view-alone
# view(batch, heads, -1, d_k) in a helper, masked with -inf
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

    def split(self, t):
        batch = t.size(0)
        return t.contiguous().view(batch, self.h, -1, self.d_k)

    def forward(self, query, key, value, mask=None):
        q = self.split(self.W_Q(query))
        k = self.split(self.W_K(key))
        v = self.split(self.W_V(value))
        att = torch.matmul(q, k.permute(0, 1, 3, 2)) / math.sqrt(self.d_k)
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        att = att.softmax(-1)
        y = torch.matmul(att, v).transpose(1, 2).contiguous().view(query.size(0), -1, self.d_model)
        return self.W_O(y)
