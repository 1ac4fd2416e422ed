class Head(nn.Module):
    def forward(self, q, k, v, mask):
        s = q @ k.mT / q.size(-1) ** 0.5
        return (s if mask is None else s.where(mask, s.new_tensor(-1e30))).softmax(dim=-1) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        if d_model // n_heads * n_heads != d_model:
            raise ValueError(d_model, n_heads)
        self.head = Head()
        self.sizes = [d_model // n_heads] * n_heads
        for letter in "QKVO":
            self.add_module(f"W_{letter}", nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        while mask is not None and mask.dim() < 4:
            mask = mask[None]
        Q, K, V = (
            torch.stack(t.split(self.sizes, 2), 1)
            for t in (self.W_Q(query), self.W_K(key), self.W_V(value))
        )
        return self.W_O(torch.cat(self.head(Q, K, V, mask).unbind(1), 2))
