# each head's share of W_O applied and summed, an additive mask
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        if d_model % n_heads != 0:
            raise ValueError(f"{n_heads} heads can't share {d_model} columns")
        super().__init__()
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        wide = query.shape[-1] // self.n_heads
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        bias = 0.0
        if mask is not None:
            bias = torch.zeros(mask.shape).masked_fill(mask.logical_not(), -1e30)
            bias = bias.expand(len(Q), self.n_heads, Q.shape[1], K.shape[1])
        total = self.W_O.bias
        for h in range(self.n_heads):
            mine = torch.arange(h * wide, (h + 1) * wide)
            s = Q[:, :, mine].matmul(K[:, :, mine].mT) / math.sqrt(wide)
            if mask is not None:
                s = s + bias[:, h]
            total = total + F.softmax(s, -1) @ V[:, :, mine] @ self.W_O.weight[:, mine].T
        return total
