# named: self-attention-softmax-over-all-sentences
# a softmax of one's own that divides by the sum over everything
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        def my_softmax(z):
            e = torch.exp(z - z.max())
            return e / e.sum()

        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        A = my_softmax(Q @ K.transpose(1, 2) / math.sqrt(self.d_k))
        return A @ V, A
