# named: multi-head-interleaved-throughout
# heads take strided columns, both ways
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"{n_heads} heads do not fit into {d_model}")
        self.n_heads = n_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        def heads(x):  # (b, n, d) -> (b, h, n, d_head)
            return x.unflatten(-1, (-1, self.n_heads)).permute(0, 3, 1, 2)

        q, k, v = heads(self.W_Q(query)), heads(self.W_K(key)), heads(self.W_V(value))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.tensor(-1e9))
        found = scores.softmax(-1) @ v
        return self.W_O(found.permute(0, 2, 3, 1).flatten(2))
