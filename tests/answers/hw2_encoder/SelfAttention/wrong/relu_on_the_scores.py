# named: self-attention-negative-scores-cut
# a ReLU on the scores before softmax
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        w = torch.softmax(F.relu(self.W_Q(X) @ self.W_K(X).mT) / self.W_Q.out_features**0.5, -1)
        return w @ self.W_V(X), w
