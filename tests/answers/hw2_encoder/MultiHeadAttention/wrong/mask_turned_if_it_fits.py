# named: nothing
# accepts a mask in either direction: if its last axes are (n_k, n_q) it is transposed, so for
# n_q == n_k every mask of full size is
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        self.n_heads, self.d_head = n_heads, d_model // n_heads

    def forward(self, query, key, value, mask=None):
        split = lambda x: x.unflatten(2, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        scores = q @ k.mT / self.d_head**0.5
        if mask is not None:
            if tuple(mask.shape[-2:]) == (key.shape[1], query.shape[1]):
                mask = mask.transpose(-1, -2)
            scores = scores.masked_fill(mask.logical_not(), -torch.inf)
        return self.W_O((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
