# named: relation-some-lengths
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        s = (q.unsqueeze(2) @ k.unsqueeze(1).transpose(-1, -2)).squeeze() / math.sqrt(k.size(-1))
        w = s.softmax(-1)
        return w @ v, w
