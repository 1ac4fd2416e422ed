# named: self-attention-scores-kept
# the scores of the first call are kept until the length changes (state)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.scores = None

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        if self.scores is None or self.scores.shape[1] != X.shape[1]:
            self.scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        weights = self.scores.softmax(dim=-1)
        return weights @ V, weights
