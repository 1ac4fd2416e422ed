# named: self-attention-features-attend
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (
            nn.Linear(d_model, d_k),
            nn.Linear(d_model, d_k),
            nn.Linear(d_model, d_k),
        )
        self.d_k = d_k

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        weights = F.softmax(Q.transpose(1, 2) @ K / self.d_k**0.5, dim=-1)
        return V @ weights, weights
