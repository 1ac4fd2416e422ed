# exponentials times the mask; W_O by einsum, head by head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model / n_heads != int(d_model / n_heads):
            raise ValueError(f"{n_heads} doesn't divide {d_model}")
        self.h = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        h = self.h
        q = self.W_Q(query).unflatten(-1, (h, -1))
        k = self.W_K(key).unflatten(-1, (h, -1))
        v = self.W_V(value).unflatten(-1, (h, -1))
        logits = torch.einsum("bqhc,bkhc->bhqk", q, k) / q.size(-1) ** 0.5
        if mask is not None:
            logits = logits.where(mask, torch.full_like(logits, torch.finfo(logits.dtype).min))
        e = (logits - logits.max(-1, keepdim=True).values).exp()
        if mask is not None:
            e = e * mask
        p = e / e.sum(-1, keepdim=True)
        ctx = torch.einsum("bhqk,bkhc->bqhc", p, v)
        WO = self.W_O.weight.unflatten(1, (h, -1))
        return torch.einsum("bqhc,ohc->bqo", ctx, WO) + self.W_O.bias
