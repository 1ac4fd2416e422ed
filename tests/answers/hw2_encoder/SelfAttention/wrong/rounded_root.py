# named: self-attention-scale-rounded
# round() around the root, a sentence at a time
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def _one(self, x):
        a = nn.Softmax(dim=-1)(self.W_Q(x) @ self.W_K(x).t() / round(math.sqrt(self.d_k)))
        return a @ self.W_V(x), a

    def forward(self, X):
        outputs, weights = zip(*map(self._one, X))
        return torch.stack(outputs), torch.stack(weights)
