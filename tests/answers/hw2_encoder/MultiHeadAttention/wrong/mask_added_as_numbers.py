# named: multi-head-indivisible-asserted, multi-head-mask-inverted
# scores + mask * -1e9: hides what may be seen; bool * float
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0, "d_model must be divisible by n_heads"
        self.num_heads, self.depth = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        return x.view(x.size(0), -1, self.num_heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        q, k, v = map(self.split_heads, (self.W_Q(query), self.W_K(key), self.W_V(value)))
        logits = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            logits += mask * -1e9
        attention = torch.softmax(logits, dim=-1)
        joined = torch.matmul(attention, v).permute(0, 2, 1, 3).contiguous()
        return self.W_O(joined.view(query.size(0), -1, self.num_heads * self.depth))
