# one product for all three projections, through aliases
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.projections = nn.ModuleList([nn.Linear(d_model, d_k) for _ in range(3)])
        self.W_Q, self.W_K, self.W_V = self.projections

    def forward(self, X):
        weight = torch.cat([layer.weight for layer in self.projections])
        bias = torch.cat([layer.bias for layer in self.projections])
        Q, K, V = F.linear(X, weight, bias).chunk(3, dim=-1)
        scores = torch.matmul(Q, K.swapaxes(1, 2)).div(K.size(-1) ** 0.5)
        weights = torch.exp(torch.log_softmax(scores, -1))
        return torch.matmul(weights, V), weights
