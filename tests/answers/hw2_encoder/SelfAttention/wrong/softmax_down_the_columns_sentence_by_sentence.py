# named: self-attention-softmax-over-queries
# softmax over the queries (dim=1), loop over the sentences with dim=0 of a matrix
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        outs, ws = [], []
        for sentence in X:
            Q, K, V = self.W_Q(sentence), self.W_K(sentence), self.W_V(sentence)
            w = F.softmax(Q @ K.T * self.d_k**-0.5, dim=0)
            ws.append(w)
            outs.append(w @ V)
        return torch.stack(outs), torch.stack(ws)
