# a helper class SelfAttention of another kind, and a helper function softmax
def softmax(x, mask):
    x = x if mask is None else x.masked_fill(~mask, float("-inf"))
    powers = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)


class SelfAttention:
    def __call__(self, Q, K, V, mask):
        return softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1)), mask) @ V


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        self.attend = SelfAttention()

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        Q, K, V = (x.unflatten(2, (self.n_heads, -1)).transpose(1, 2) for x in (Q, K, V))
        return self.W_O(self.attend(Q, K, V, mask).transpose(1, 2).flatten(2))
