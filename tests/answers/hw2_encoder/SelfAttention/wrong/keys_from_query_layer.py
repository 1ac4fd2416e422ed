# named: self-attention-keys-from-w-q
# W_Q is used for keys too, a slip of the pen
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        q = self.W_Q(X)
        k = self.W_Q(X)
        v = self.W_V(X)
        scores = torch.matmul(q, k.transpose(1, 2)) / np.sqrt(self.d_k)
        w = torch.softmax(scores, dim=-1)
        return torch.matmul(w, v), w
