# named: self-attention-all-look-at-the-first-sentence, relation-batch-mixed
# all sentences look at the first
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        attn = torch.softmax(q @ k[0].T / self.d_k**0.5, dim=-1)
        return attn @ v[0], attn
