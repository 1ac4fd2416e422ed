# named: self-attention-scaled-after-softmax
# the weights are divided by the root, not the scores
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        w = torch.softmax(Q @ K.transpose(-1, -2), dim=-1) / math.sqrt(self.d_k)
        return w @ V, w
