# named: self-attention-scaled-by-twice-d-k
# `d_k ** -1/2` is (1/d_k)/2 in Python, so scores are divided by 2*d_k instead of the root;
# shows for any d_k unless all scores are equal
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = [nn.Linear(d_model, d_k) for _ in "QKV"]
        self.scale = d_k**-1 / 2

    def forward(self, X):
        weights = (self.W_Q(X) @ self.W_K(X).mT * self.scale).softmax(-1)
        return weights @ self.W_V(X), weights
