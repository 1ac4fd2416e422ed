# named: self-attention-scaled-by-d-model
# divided by the root of d_model
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        b, s, d = X.shape
        q = self.W_Q(X)
        k = self.W_K(X)
        v = self.W_V(X)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(d))
        att = F.softmax(att, dim=-1)
        return att @ v, att
