class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        if d_model % n_heads:
            raise ValueError("not divisible")
        super().__init__()
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        h = self.n_heads

        def fold(x):
            b, n, d = x.shape
            return x.view(b, n, h, d // h).permute(2, 0, 1, 3).reshape(h * b, n, d // h)

        q, k, v = fold(self.W_Q(query)), fold(self.W_K(key)), fold(self.W_V(value))
        s = torch.bmm(q, k.transpose(1, 2)).mul_(q.shape[-1] ** -0.5)
        b, n_q, n_k = query.shape[0], query.shape[1], key.shape[1]
        if mask is not None:
            allowed = (
                torch.broadcast_to(mask, (b, h, n_q, n_k)).transpose(0, 1).reshape(h * b, n_q, n_k)
            )
            s = s.masked_fill(allowed.logical_not(), torch.finfo(s.dtype).min)
        s = s - s.max(dim=-1, keepdim=True)[0].detach()
        e = s.exp()
        if mask is not None:
            e = e * allowed
        o = torch.bmm(e / e.sum(-1, keepdim=True), v)
        o = o.view(h, b, n_q, -1).movedim(0, 2).reshape(b, n_q, -1)
        return self.W_O(o)
