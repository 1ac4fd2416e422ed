# named: self-attention-layers-drawn-in-forward, self-attention-drawn-anew
# new projections are drawn in every call
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = (nn.Linear(X.shape[-1], self.W_Q.out_features)(X) for _ in range(3))
        scores = Q @ K.transpose(1, 2) / math.sqrt(K.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return weights @ V, weights
