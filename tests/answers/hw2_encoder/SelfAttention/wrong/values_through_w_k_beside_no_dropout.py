# named: self-attention-values-are-keys
# values made by W_K (V = K), with an unused dropout of 0 in it
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.drop = nn.Dropout(0.0)

    def forward(self, X):
        q = self.W_Q(X)
        k = self.W_K(X)
        v = self.W_K(X)
        w = self.drop(torch.softmax(q.matmul(k.permute(0, 2, 1)).div(math.sqrt(q.size(-1))), -1))
        return w.matmul(v), w
