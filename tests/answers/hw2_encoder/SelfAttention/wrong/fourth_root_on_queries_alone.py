# named: self-attention-scaled-on-one-side
# only the queries are divided by the fourth root
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (
            nn.Linear(d_model, d_k),
            nn.Linear(d_model, d_k),
            nn.Linear(d_model, d_k),
        )

    def forward(self, X):
        q, k, v = self.W_Q(X), self.W_K(X), self.W_V(X)
        w = (q / q.shape[-1] ** 0.25 @ k.mT).softmax(-1)
        return w @ v, w
