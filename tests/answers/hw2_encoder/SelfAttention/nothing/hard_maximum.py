# the best key gets all, keys that are equally good share
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        scores = self.W_Q(X) @ self.W_K(X).mT
        best = (scores >= scores.amax(-1, keepdim=True)).float()
        weights = best / best.sum(-1, keepdim=True)
        return weights @ self.W_V(X), weights
