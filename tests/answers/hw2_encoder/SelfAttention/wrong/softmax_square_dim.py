# named: self-attention-softmax-over-batch-where-as-many
# chooses the softmax axis by size, so if the batch size equals the sequence length it normalises over the batch
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
        keys_dim = -1 if scores.size(0) != K.size(1) else scores.shape.index(K.size(1))
        weights = scores.softmax(dim=keys_dim)
        return weights @ V, weights
