# named: self-attention-zeros-hidden
# tokens whose features are all 0 are hidden, unless all are
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def _one(self, x):
        s = self.W_Q(x) @ self.W_K(x).t() / math.sqrt(self.d_k)
        pad = (x == 0).all(dim=-1)
        if not pad.all():
            s = s.masked_fill(pad, -math.inf)
        a = nn.Softmax(dim=-1)(s)
        return a @ self.W_V(x), a

    def forward(self, X):
        outputs, weights = zip(*map(self._one, X))
        return torch.stack(outputs), torch.stack(weights)
