# torch.bmm, queries scaled before the product, returns a list of two
from torch.nn import Linear, Softmax


class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super(SelfAttention, self).__init__()
        self.W_Q, self.W_K, self.W_V = (Linear(d_model, d_k) for _ in range(3))
        self.softmax = Softmax(dim=-1)
        self.register_buffer("scale", torch.tensor(float(d_k)).rsqrt())

    def forward(self, X):
        weights = self.softmax(torch.bmm(self.W_Q(X) * self.scale, self.W_K(X).permute(0, 2, 1)))
        return [torch.bmm(weights, self.W_V(X)), weights]
