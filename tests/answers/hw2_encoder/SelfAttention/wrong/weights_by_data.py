# named: self-attention-scores-without-gradient
# computes with .data of the scores
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = torch.bmm(q, k.transpose(1, 2)).data / np.sqrt(self.d_k)
        attn = F.softmax(scores, dim=-1)
        return torch.bmm(attn, v), attn
