# named: self-attention-no-bias, self-attention-not-scaled
# two mistakes: no bias in the layers, and no scale
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_k, bias=False)

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        w = (q @ k.transpose(-1, -2)).softmax(-1)
        return w @ v, w
