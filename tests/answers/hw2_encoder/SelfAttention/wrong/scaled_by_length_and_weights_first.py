# named: self-attention-weights-first, self-attention-scaled-by-length
# two mistakes: scaled by the sequence length, and the pair is returned the other way round
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = torch.matmul(Q, K.transpose(1, 2)) / np.sqrt(K.shape[1])
        weights = F.softmax(scores, dim=-1)
        context = torch.matmul(weights, V)
        return weights, context
