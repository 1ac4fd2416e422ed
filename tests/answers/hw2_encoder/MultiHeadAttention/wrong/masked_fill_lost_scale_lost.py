# named: multi-head-mask-without-effect, multi-head-not-scaled
# the result of masked_fill is thrown away, and nothing is scaled
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
        bs = query.size(0)
        q, k, v = [
            layer(x).view(bs, -1, self.h, self.d_k).transpose(1, 2)
            for layer, x in zip((self.W_Q, self.W_K, self.W_V), (query, key, value))
        ]
        scores = torch.matmul(q, k.transpose(-2, -1))
        if mask is not None:
            scores.masked_fill(mask == 0, -1e9)
        p = F.softmax(scores, dim=-1)
        x = torch.matmul(p, v).transpose(1, 2).contiguous().view(bs, -1, self.h * self.d_k)
        return self.W_O(x)
