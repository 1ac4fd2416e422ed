# outer products and explicit sums, everything in float64 and back
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        for letter in "QKV":
            setattr(self, f"W_{letter}", nn.Linear(d_model, d_k))

    def forward(self, X):
        q, k, v = (getattr(self, f"W_{letter}")(X).double() for letter in "QKV")
        s = (q.unsqueeze(2) * k.unsqueeze(1)).sum(-1) * q.size(-1) ** -0.5
        p = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
        return (p.unsqueeze(-1) * v.unsqueeze(1)).sum(2).to(X.dtype), p.to(X.dtype)
