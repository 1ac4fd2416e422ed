# named: self-attention-weights-first, self-attention-not-scaled
# never scaled, and (weights, output) is returned in homework 1's order
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q = self.W_Q(X)
        k = self.W_K(X)
        v = self.W_V(X)
        weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
        return weights, weights @ v
