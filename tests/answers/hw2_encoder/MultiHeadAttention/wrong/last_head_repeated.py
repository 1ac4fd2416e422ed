# named: multi-head-one-head-repeated
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("!")
        self.n = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        d = Q.size(-1) // self.n
        if mask is not None:
            mask = mask.expand(Q.size(0), self.n, Q.size(1), K.size(1))
        for h in range(self.n):
            c = slice(h * d, h * d + d)
            s = Q[..., c] @ K[..., c].mT / d**0.5
            if mask is not None:
                s = s.masked_fill(~mask[:, h], float("-inf"))
            head = s.softmax(-1) @ V[..., c]
        return self.W_O(head.repeat(1, 1, self.n))
