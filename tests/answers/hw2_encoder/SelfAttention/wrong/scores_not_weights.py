# named: self-attention-scores-not-weights
# scores @ V
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q = self.W_Q(X)
        K = self.W_K(X)
        V = self.W_V(X)
        d_k = Q.size(-1)
        scores = torch.bmm(Q, K.transpose(-2, -1)) / d_k**0.5
        attn = F.softmax(scores, dim=-1)
        out = scores @ V
        return out, attn
