# named: self-attention-bias-unused
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q, k, v = (
            torch.einsum("bnd,kd->bnk", X, layer.weight) for layer in (self.W_Q, self.W_K, self.W_V)
        )
        w = torch.softmax(torch.einsum("bik,bjk->bij", q, k) / q.shape[-1] ** 0.5, -1)
        return torch.einsum("bij,bjk->bik", w, v), w
