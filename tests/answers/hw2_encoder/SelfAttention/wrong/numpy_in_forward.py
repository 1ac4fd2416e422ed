# named: self-attention-numpy-meets-gradients, crash-gradient
# np.exp of a tensor, which fails in training
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = q @ k.mT / self.d_k**0.5
        scores = scores - scores.max(-1, keepdim=True).values
        attn = np.exp(scores)
        attn = attn / attn.sum(-1, keepdim=True)
        return attn @ v, attn
