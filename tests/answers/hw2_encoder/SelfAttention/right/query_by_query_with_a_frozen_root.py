# keys scaled by a frozen buffer, a loop over queries, a list returned as a tuple
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = map(lambda _: nn.Linear(d_model, d_k), range(3))
        self.register_buffer("root", torch.tensor(d_k).sqrt(), persistent=False)

    def forward(self, X):
        keys, values = self.W_K(X).div(self.root), self.W_V(X)
        rows = []
        for query in self.W_Q(X).unbind(dim=1):
            rows.append(torch.softmax(torch.einsum("bd,bkd->bk", query, keys), dim=1))
        weights = torch.stack(rows, 1)
        return torch.einsum("bqk,bkd->bqd", weights, values), weights
