# named: self-attention-cosine-alone
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q = F.normalize(self.W_Q(X), dim=-1)
        k = F.normalize(self.W_K(X), dim=-1)
        weights = torch.softmax(torch.bmm(q, k.mT), dim=-1)
        return torch.bmm(weights, self.W_V(X)), weights
