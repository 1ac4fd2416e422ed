# named: multi-head-projection-is-no-layer
# a ModuleList with a small layer a head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.d_head = d_model // n_heads
        self.W_Q = nn.ModuleList([nn.Linear(d_model, self.d_head) for _ in range(n_heads)])
        self.W_K = nn.ModuleList([nn.Linear(d_model, self.d_head) for _ in range(n_heads)])
        self.W_V = nn.ModuleList([nn.Linear(d_model, self.d_head) for _ in range(n_heads)])
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        heads = []
        for W_Q, W_K, W_V in zip(self.W_Q, self.W_K, self.W_V):
            scores = W_Q(query) @ W_K(key).mT / math.sqrt(self.d_head)
            if mask is not None:
                scores = scores.masked_fill(~mask, -1e9)
            heads.append(scores.softmax(-1) @ W_V(value))
        return self.W_O(torch.cat(heads, dim=-1))
