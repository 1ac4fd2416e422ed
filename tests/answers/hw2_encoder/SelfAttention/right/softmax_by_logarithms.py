# log_softmax and exp, aliases for the layers, a frozen table besides
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.query, self.key, self.value = self.W_Q, self.W_K, self.W_V
        self.temperature = nn.Parameter(torch.tensor(math.sqrt(d_k)), requires_grad=False)

    def forward(self, X):
        q, k, v = self.query(X), self.key(X), self.value(X)
        logits = torch.stack([a @ b.t() for a, b in zip(q, k)]) / self.temperature
        weights = F.log_softmax(logits, dim=-1).exp()
        return torch.stack([a @ b for a, b in zip(weights, v)]), weights
