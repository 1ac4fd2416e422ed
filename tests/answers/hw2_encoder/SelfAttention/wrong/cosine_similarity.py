# named: self-attention-cosine
# cosine similarity: queries and keys are normalised to length 1
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = F.normalize(self.W_Q(X), dim=-1), F.normalize(self.W_K(X), dim=-1), self.W_V(X)
        A = torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), dim=-1)
        return A @ V, A
