# named: nothing
# output and weights by name
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        scores = self.W_Q(X) @ self.W_K(X).mT
        weights = torch.softmax(scores / self.W_K.out_features**0.5, dim=-1)
        return {"output": weights @ self.W_V(X), "weights": weights}
