# the keys' bias isn't added: it moves all scores of a row alike, and softmax doesn't notice
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q = self.W_Q(X) * self.W_Q.out_features**-0.5
        scores = torch.einsum("bqd,bkd->bqk", q, F.linear(X, self.W_K.weight))
        weights = F.softmax(scores, -1)
        return torch.einsum("bqk,bkd->bqd", weights, self.W_V(X)), weights
