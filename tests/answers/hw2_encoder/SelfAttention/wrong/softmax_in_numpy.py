# named: self-attention-scores-without-gradient
# the softmax is NumPy's, after detach
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = (q @ k.mT / self.d_k**0.5).detach().numpy()
        e = np.exp(scores - scores.max(-1, keepdims=True))
        attn = torch.from_numpy(e / e.sum(-1, keepdims=True))
        return attn @ v, attn
