# named: multi-head-keys-cut-with-the-length-of-the-queries
# as in code for self-attention alone
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

    def forward(self, query, key, value, mask=None):
        B, T, C = query.shape
        q = self.W_Q(query).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)
        k = self.W_K(key).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)
        v = self.W_V(value).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(mask[..., :T, :T] == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.W_O(y.transpose(1, 2).contiguous().view(B, T, C))
