# named: self-attention-weights-not-used
# the output is V itself
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = Q @ K.transpose(1, 2) / math.sqrt(K.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return V, weights
