# the logarithm of the mask is added to the scores; fourth roots on either side
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

    def forward(self, query, key, value, mask=None):
        root = self.d_head**0.25
        q = torch.stack((self.W_Q(query) / root).chunk(self.n_heads, -1), 1)
        k = torch.stack((self.W_K(key) / root).chunk(self.n_heads, -1), 1)
        v = torch.stack(self.W_V(value).chunk(self.n_heads, -1), 1)
        bias = 0 if mask is None else mask.float().log()
        attention = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k) + bias, -1)
        return self.W_O(torch.einsum("bhqk,bhkd->bqhd", attention, v).flatten(-2))
