# named: self-attention-softmax-over-queries
# einsum, softmax over dim 1
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
        s = torch.einsum("bid,bjd->bij", Q, K) / self.d_k**0.5
        w = s.softmax(dim=1)
        return torch.einsum("bij,bjd->bid", w, V), w
