# named: self-attention-scaled-by-length
# divided by the root of Q.shape[1], the length
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
        scores = Q.matmul(K.mT).div(math.sqrt(Q.shape[1]))
        weights = nn.Softmax(dim=-1)(scores)
        return weights.matmul(V), weights
