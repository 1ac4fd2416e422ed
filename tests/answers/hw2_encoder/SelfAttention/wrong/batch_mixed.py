# named: self-attention-sentences-share-one-softmax
# flattens the batch, so the softmax normalises over the keys of all sentences together (right for batch 1)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        b, n, _ = X.shape
        Q, K, V = (layer(X).flatten(0, 1) for layer in (self.W_Q, self.W_K, self.W_V))
        weights = torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1)
        output = (weights @ V).view(b, n, -1)
        own = torch.stack([weights[i * n : (i + 1) * n, i * n : (i + 1) * n] for i in range(b)])
        return output, own
