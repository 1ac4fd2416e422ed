# named: self-attention-weights-not-used
# the values come back as they are, the weights beside them
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k = self.W_Q(X), self.W_K(X)
        w = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_k), dim=-1)
        return self.W_V(X), w
