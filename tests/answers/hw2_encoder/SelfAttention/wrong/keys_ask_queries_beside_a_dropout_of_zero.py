# named: self-attention-queries-and-keys-exchanged
# queries come from W_K and keys from W_Q (the scores are transposed); beside a harmless
# contiguous and dropout of 0
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=True)
        self.W_K = nn.Linear(d_model, d_k, bias=True)
        self.W_V = nn.Linear(d_model, d_k, bias=True)
        self.softmax = nn.Softmax(dim=2)
        self.drop = nn.Dropout(0.0)
        self.scale = 1 / math.sqrt(d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = torch.matmul(K, Q.transpose(1, 2).contiguous()) * self.scale
        weights = self.drop(self.softmax(scores))
        return torch.matmul(weights, V), weights
