# one pass over the keys with a running maximum, a running sum and a running average
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.scale = 1 / math.sqrt(d_k)
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X) * self.scale, self.W_K(X), self.W_V(X)
        largest = torch.full((*X.shape[:2], 1), -math.inf)
        total, output, shares = torch.zeros_like(largest), torch.zeros_like(V), []
        for j in range(X.shape[1]):
            score = (Q * K[:, j : j + 1]).sum(-1, keepdim=True)
            new = torch.maximum(largest, score)
            shrink, share = torch.exp(largest - new), torch.exp(score - new)
            shares = [old * shrink for old in shares] + [share]
            total, output = total * shrink + share, output * shrink + share * V[:, j : j + 1]
            largest = new
        return output / total, torch.cat(shares, dim=-1) / total
