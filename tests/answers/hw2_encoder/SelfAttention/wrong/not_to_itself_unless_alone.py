# named: self-attention-not-to-itself
# each token may not look at itself (diagonal masked), unless it is alone
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        S = Q @ K.transpose(1, 2) / math.sqrt(Q.shape[-1])
        if S.shape[-1] > 1:
            S = S.masked_fill(torch.eye(S.shape[-1], dtype=torch.bool), float("-inf"))
        A = S.softmax(dim=-1)
        return A @ V, A
