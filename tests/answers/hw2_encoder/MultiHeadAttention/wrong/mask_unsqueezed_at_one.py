# named: crash-shapes, multi-head-mask-gets-an-axis
# mask.unsqueeze(1) always: wrong for 4-D masks and (n_heads,…)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.n_heads = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        B, h = query.shape[0], self.n_heads
        q = self.W_Q(query).reshape(B, query.shape[1], h, -1).transpose(1, 2)
        k = self.W_K(key).reshape(B, key.shape[1], h, -1).transpose(1, 2)
        v = self.W_V(value).reshape(B, value.shape[1], h, -1).transpose(1, 2)
        s = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask.unsqueeze(1), -torch.inf)
        return self.W_O((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
