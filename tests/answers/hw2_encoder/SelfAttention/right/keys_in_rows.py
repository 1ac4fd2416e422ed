# scores the other way round, (keys, queries), softmax down the columns, transposed at the end
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        queries, keys, values = (layer(X).mT for layer in (self.W_Q, self.W_K, self.W_V))
        shares = F.softmax(keys.mT @ queries / math.sqrt(queries.size(1)), dim=1)
        return (values @ shares).mT, shares.mT
