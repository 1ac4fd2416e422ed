# named: self-attention-weights-first, self-attention-not-scaled
# weights first and unscaled
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        weights = torch.softmax(torch.bmm(Q, K.permute(0, 2, 1)), dim=2)
        return weights, weights.bmm(V)
