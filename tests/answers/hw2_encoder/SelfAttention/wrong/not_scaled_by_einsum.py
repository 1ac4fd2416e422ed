# named: self-attention-not-scaled
# no scale (einsum style)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Linear(d_model, d_k) for _ in range(3))

    def forward(self, X):
        q, k, v = [layer(X) for layer in (self.W_Q, self.W_K, self.W_V)]
        energy = torch.einsum("bid,bjd->bij", q, k)
        energy = energy - energy.amax(-1, keepdim=True)
        e = energy.exp()
        a = e / e.sum(-1, keepdim=True)
        return torch.einsum("bij,bjd->bid", a, v), a
