# computes in float64, returns float32
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X).double(), self.W_K(X).double(), self.W_V(X).double()
        weights = (Q @ K.mT / math.sqrt(Q.shape[-1])).softmax(-1)
        return (weights @ V).to(X.dtype), weights.to(X.dtype)
