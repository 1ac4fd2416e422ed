# named: multi-head-heads-in-reverse, relation-permuted, relation-partly-right
# the last head comes first
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.h, self.d_k = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.h, self.d_k).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        B, n_q, d = query.shape
        n_k = key.size(1)
        q, k, v = (
            self.split(self.W_Q(query)),
            self.split(self.W_K(key)),
            self.split(self.W_V(value)),
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        attn = F.softmax(scores, dim=-1)
        out = attn @ v
        out = torch.cat([out[:, head] for head in reversed(range(self.h))], dim=-1)
        return self.W_O(out)
