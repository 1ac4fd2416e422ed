# query by query, hidden keys are left out of the sums instead of masked
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.shape = (n_heads, d_model // n_heads)
        self.W_Q, self.W_K = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_V, self.W_O = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def one_query(self, q, K, V, may_see):
        K, V = K[may_see], V[may_see]
        powers = torch.exp((K @ q - (K @ q).max()) / math.sqrt(len(q)))
        return powers @ V / powers.sum()

    def forward(self, query, key, value, mask=None):
        Q = self.W_Q(query).unflatten(-1, self.shape)
        K = self.W_K(key).unflatten(-1, self.shape)
        V = self.W_V(value).unflatten(-1, self.shape)
        batch, n_q, n_heads, _ = Q.shape
        allowed = torch.ones(batch, n_heads, n_q, K.shape[1], dtype=torch.bool)
        if mask is not None:
            allowed = allowed & mask
        found = torch.empty_like(Q)
        for b in range(batch):
            for h in range(n_heads):
                for i in range(n_q):
                    seen = allowed[b, h, i]
                    found[b, i, h] = self.one_query(Q[b, i, h], K[b, :, h], V[b, :, h], seen)
        return self.W_O(found.flatten(2))
