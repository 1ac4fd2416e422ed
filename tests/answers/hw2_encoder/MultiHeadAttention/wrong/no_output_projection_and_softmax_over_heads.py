# named: multi-head-no-output-projection, multi-head-softmax-over-heads
# W_O unused and softmax dim=1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("heads")
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = self.W_Q(query).unflatten(2, (self.n_heads, self.d_k)).transpose(1, 2)
        k = self.W_K(key).unflatten(2, (self.n_heads, self.d_k)).transpose(1, 2)
        v = self.W_V(value).unflatten(2, (self.n_heads, self.d_k)).transpose(1, 2)
        s = q @ k.mT / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        return (torch.softmax(s, dim=1) @ v).transpose(1, 2).flatten(2)
