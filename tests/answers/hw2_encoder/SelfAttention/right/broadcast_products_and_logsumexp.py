# products by broadcasting, weights by logsumexp, projections written out
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    @staticmethod
    def project(X, layer):
        return torch.tensordot(X, layer.weight, dims=([2], [1])) + layer.bias

    def forward(self, X):
        Q, K, V = (self.project(X, layer) for layer in (self.W_Q, self.W_K, self.W_V))
        scores = (Q[:, :, None, :] * K[:, None, :, :]).sum(dim=3)
        scores = scores.mul(1 / math.sqrt(Q.shape[2]))
        weights = (scores - scores.logsumexp(dim=2, keepdim=True)).exp()
        return (weights.unsqueeze(3) * V.unsqueeze(1)).sum(dim=2), weights
