# a loop over heads that slices columns, and a concatenation
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
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        full = (query.shape[0], self.n_heads, query.shape[1], key.shape[1])
        heads = []
        for head in range(self.n_heads):
            columns = slice(head * self.d_head, (head + 1) * self.d_head)
            scores = Q[..., columns] @ K[..., columns].transpose(-2, -1) / math.sqrt(self.d_head)
            if mask is not None:
                scores = torch.where(mask.expand(full)[:, head], scores, torch.tensor(-1e9))
            heads.append(torch.softmax(scores, dim=-1) @ V[..., columns])
        return self.W_O(torch.cat(heads, dim=-1))
