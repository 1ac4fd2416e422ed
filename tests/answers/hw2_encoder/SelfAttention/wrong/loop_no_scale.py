# named: self-attention-not-scaled
# a loop over sentences, never scaled
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        outs, ws = [], []
        for x in X:
            q, k, v = self.W_Q(x), self.W_K(x), self.W_V(x)
            w = F.softmax(q @ k.T, dim=1)
            ws.append(w)
            outs.append(w @ v)
        return torch.stack(outs), torch.stack(ws)
