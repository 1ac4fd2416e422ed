# named: self-attention-scores-returned
# returns scaled scores as weights, the output is right
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q = self.W_Q(X)
        K = self.W_K(X)
        V = self.W_V(X)
        scores = torch.matmul(Q, torch.transpose(K, 1, 2)) / math.sqrt(self.d_k)
        output = torch.matmul(torch.softmax(scores, -1), V)
        return output, scores
