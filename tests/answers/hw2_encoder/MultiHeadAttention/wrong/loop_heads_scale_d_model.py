# named: multi-head-scaled-by-d-model
# a loop over heads with slices, scaled by the root of d_model
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        outs = []
        for i in range(self.h):
            a, b = i * self.d_k, (i + 1) * self.d_k
            s = Q[..., a:b] @ K[..., a:b].transpose(1, 2)
            s = s / self.d_model**0.5
            if mask is not None:
                m = mask.expand(query.shape[0], self.h, query.shape[1], key.shape[1])[:, i]
                s = torch.where(m, s, torch.full_like(s, -1e9))
            outs.append(F.softmax(s, dim=2) @ V[..., a:b])
        return self.W_O(torch.cat(outs, dim=-1))
