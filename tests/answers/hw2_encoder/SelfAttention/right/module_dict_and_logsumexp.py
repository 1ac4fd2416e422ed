class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.proj = nn.ModuleDict({n: nn.Linear(d_model, d_k) for n in "QKV"})
        self.W_Q, self.W_K, self.W_V = (self.proj[n] for n in "QKV")

    def forward(self, X):
        Q, K, V = (F.linear(X, p.weight, p.bias) for p in self.proj.values())
        logits = (Q.unsqueeze(2) * K.unsqueeze(1)).sum(-1).mul(Q.size(2) ** -0.5)
        A = (logits - logits.logsumexp(2, True)).exp()
        return (A.unsqueeze(-1) * V.unsqueeze(1)).sum(2), A
