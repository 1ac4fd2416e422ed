# named: self-attention-scores-returned
# returns scaled scores as weights
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Linear(d_model, d_k) for _ in range(3))
        self.d_k = d_k

    def forward(self, X):
        weights = torch.bmm(self.W_Q(X), self.W_K(X).transpose(1, 2)) / math.sqrt(self.d_k)
        output = torch.bmm(torch.softmax(weights, dim=2), self.W_V(X))
        return output, weights
