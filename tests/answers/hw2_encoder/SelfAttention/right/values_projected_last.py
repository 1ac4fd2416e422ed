# W_V is applied to the averages of X: shares sum to 1, so its bias comes through once
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        for name in ("W_Q", "W_K", "W_V"):
            setattr(self, name, nn.Linear(d_model, d_k))
        self.register_buffer("root", torch.tensor(float(d_k)).sqrt())

    def forward(self, X):
        weights = torch.einsum("bik,bjk->bij", self.W_Q(X), self.W_K(X)).div(self.root).softmax(2)
        return self.W_V(weights @ X), weights  # shares sum to 1, so the bias comes through once
