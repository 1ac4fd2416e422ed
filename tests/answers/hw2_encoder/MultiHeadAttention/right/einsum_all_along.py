# einsum throughout, the output projection per head and summed
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.reshape(*x.shape[:-1], self.n_heads, self.d_head)

        Q, K, V = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        scores = torch.einsum("bqhd,bkhd->bhqk", Q, K) / self.d_head**0.5
        if mask is not None:
            scores = scores + torch.zeros(mask.shape).masked_fill(mask.logical_not(), float("-inf"))
        weights = scores.softmax(dim=3)
        per_head = self.W_O.weight.view(-1, self.n_heads, self.d_head)
        return torch.einsum("bhqk,bkhd,ohd->bqo", weights, V, per_head) + self.W_O.bias
