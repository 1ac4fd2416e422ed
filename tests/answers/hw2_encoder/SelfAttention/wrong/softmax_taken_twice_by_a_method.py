# named: self-attention-softmax-twice
# the softmax is taken twice
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.scale = torch.sqrt(torch.tensor(float(d_k)))
        self.soft = nn.Softmax(-1)

    def attend(self, Q, K):
        return self.soft(Q @ K.transpose(1, 2) / self.scale)

    def forward(self, X):
        weights = self.attend(self.W_Q(X), self.W_K(X))
        return self.soft(weights) @ self.W_V(X), self.soft(weights)
