# queries and keys are both divided by the fourth root, a wide initialisation
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int) -> None:
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        for layer in self.children():
            nn.init.normal_(layer.weight, std=0.5)
            nn.init.constant_(layer.bias, 0.5)

    def forward(self, X):
        Q, K = (layer(X) / layer.out_features**0.25 for layer in (self.W_Q, self.W_K))
        weights = nn.Softmax(dim=2)(torch.einsum("bik,bjk->bij", Q, K))
        return torch.einsum("bij,bjk->bik", weights, self.W_V(X)), weights
