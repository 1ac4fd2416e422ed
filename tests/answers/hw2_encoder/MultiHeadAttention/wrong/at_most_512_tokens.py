# named: multi-head-keys-after-512-left-out
# no more than max_len tokens are split into heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.max_len = 512
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        x = x[:, : self.max_len]
        batch, length, _ = x.size()
        return x.reshape(batch, length, self.n_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        batch = query.size(0)
        q = self.split_heads(self.W_Q(query))
        k = self.split_heads(self.W_K(key))
        v = self.split_heads(self.W_V(value))
        scores = torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        attention = F.softmax(scores, dim=-1)
        x = torch.matmul(attention, v)
        x = x.transpose(1, 2).contiguous().view(batch, -1, self.n_heads * self.d_head)
        return self.W_O(x)
