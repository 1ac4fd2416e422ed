class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        nn.Module.__init__(self)
        for name in ["W_Q", "W_K", "W_V"]:
            setattr(self, name, nn.Linear(d_model, d_k))
        self.register_buffer("root", torch.tensor(float(d_k)).rsqrt(), persistent=False)

    def forward(self, X):
        B, T, _ = X.size()
        rows = []
        for t in range(T):
            q = self.W_Q(X[:, t : t + 1])
            rows.append(
                torch.softmax(
                    torch.baddbmm(torch.zeros(1), q, self.W_K(X).mT, alpha=self.root.item()), -1
                )
            )
        A = torch.cat(rows, dim=1)
        return torch.bmm(A, self.W_V(X)), A
