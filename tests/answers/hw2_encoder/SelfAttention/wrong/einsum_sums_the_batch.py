# named: self-attention-keys-of-all-sentences-added
# an einsum whose keys have a letter of their own for the batch
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        logits = torch.einsum("bid,cjd->bij", Q, K) / math.sqrt(Q.size(-1))
        W = logits.softmax(dim=-1)
        return torch.einsum("bij,bjd->bid", W, V), W
