# named: crash-arguments
# constructor's argument renamed (d_model -> dim, d_k -> head_dim)
class SelfAttention(nn.Module):
    def __init__(self, dim, head_dim):
        super().__init__()
        self.W_Q = nn.Linear(dim, head_dim)
        self.W_K = nn.Linear(dim, head_dim)
        self.W_V = nn.Linear(dim, head_dim)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        weights = (Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])).softmax(dim=-1)
        return weights @ V, weights
