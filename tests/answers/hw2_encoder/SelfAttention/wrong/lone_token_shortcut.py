# named: relation-some-lengths
# a sequence of one token returns early with weights of shape (batch, 1) instead of (batch, 1,
# 1)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        V = self.W_V(X)
        if X.shape[1] == 1:
            return V, torch.ones(X.shape[0], 1)
        scores = torch.bmm(self.W_Q(X), self.W_K(X).permute(0, 2, 1)) / V.shape[2] ** 0.5
        weights = torch.softmax(scores, dim=2)
        return torch.bmm(weights, V), weights
