# named: self-attention-softmax-unshifted
# a softmax of its own that overflows
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(self.d_k)
        exps = scores.exp()
        attn = exps / exps.sum(2, keepdim=True)
        return attn @ v, attn
