# named: self-attention-scores-returned
# returns the raw scaled scores as the weights (the output is right: softmax is only applied for
# it)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q = self.W_Q(X)
        K = self.W_K(X)
        V = self.W_V(X)
        weights = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(self.d_k)
        output = torch.matmul(F.softmax(weights, dim=-1), V)
        return output, weights
