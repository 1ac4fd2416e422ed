# named: multi-head-values-from-key
# W_V projects the key (value is ignored), beside an if that does nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, t):
        b, n, d = t.shape
        if n == 0:
            return t
        return t.reshape(b, n, self.n_heads, d // self.n_heads).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.W_Q(query)), self.split(self.W_K(key)), self.split(self.W_V(key))
        s = q @ k.mT * k.size(-1) ** -0.5
        if mask is not None:
            s = s + torch.zeros_like(s).masked_fill(mask.logical_not(), float("-inf"))
        a = F.softmax(s, -1)
        y = (a @ v).permute(0, 2, 1, 3)
        return self.W_O(y.reshape(*query.shape))
