# einsum, and a softmax of its own
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        scores = (
            torch.einsum("bqd,bkd->bqk", self.W_Q(X), self.W_K(X)) * self.W_Q.out_features**-0.5
        )
        exponentials = torch.exp(scores - scores.max(dim=2, keepdim=True).values)
        weights = exponentials / exponentials.sum(dim=2, keepdim=True)
        return torch.einsum("bqk,bkd->bqd", weights, self.W_V(X)), weights
