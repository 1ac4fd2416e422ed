# named: self-attention-scaled-by-d-k, self-attention-softmax-over-queries
# divided by d_k, softmax over queries
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
        attn = torch.softmax(torch.einsum("bqd,bkd->bqk", Q, K) / self.d_k, dim=-2)
        return torch.einsum("bqk,bkd->bqd", attn, V), attn
