# named: self-attention-other-names
# attributes are not named as asked
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k)
        self.w_k = nn.Linear(d_model, d_k)
        self.w_v = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.w_q(X), self.w_k(X), self.w_v(X)
        scores = Q @ K.transpose(1, 2) / math.sqrt(K.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return weights @ V, weights
