# no split at all: for each head, all columns but its own are set to zero
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model // n_heads * n_heads != d_model:
            raise ValueError(f"{n_heads} heads can't share {d_model} columns")
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        owner = torch.arange(d_model) // (d_model // n_heads)
        owned = (owner == torch.arange(n_heads)[:, None]).float()  # (n_heads, d_model)
        self.register_buffer("owned", owned, persistent=False)

    def forward(self, query, key, value, mask=None):
        own = self.owned[:, None, :]
        Q, K = self.W_Q(query)[:, None] * own, self.W_K(key)[:, None]
        scores = Q @ K.mT / self.owned.sum(-1).sqrt()[:, None, None]
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        found = F.softmax(scores, -1) @ self.W_V(value)[:, None]
        return self.W_O((found * own).sum(dim=1))
