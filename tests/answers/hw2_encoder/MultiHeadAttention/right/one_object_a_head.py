# a small object for each head that borrows columns of the big layers
class Head:
    def __init__(self, owner, columns):
        self.owner, self.columns = owner, columns

    def project(self, layer, x):
        return F.linear(x, layer.weight[self.columns], layer.bias[self.columns])

    def __call__(self, query, key, value, mask):
        Q = self.project(self.owner.W_Q, query)
        K = self.project(self.owner.W_K, key)
        V = self.project(self.owner.W_V, value)
        scores = torch.einsum("bqd,bkd->bqk", Q, K) / math.sqrt(Q.size(-1))
        if mask is not None:
            scores[~mask] = -1e30
        return scores.softmax(-1) @ V


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        d_head, rest = divmod(d_model, n_heads)
        if rest != 0 or d_head == 0:
            raise ValueError(f"{d_model} columns for {n_heads} heads?")
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            self.add_module(name, nn.Linear(d_model, d_model))
        self.heads = [Head(self, slice(h * d_head, h * d_head + d_head)) for h in range(n_heads)]

    def forward(self, query, key, value, mask=None):
        masks = [None] * len(self.heads)
        if mask is not None:
            shape = (len(query), len(self.heads), query.shape[1], key.shape[1])
            masks = torch.broadcast_to(mask, shape).unbind(1)
        found = [head(query, key, value, m) for head, m in zip(self.heads, masks)]
        return self.W_O(torch.cat(found, dim=2))
