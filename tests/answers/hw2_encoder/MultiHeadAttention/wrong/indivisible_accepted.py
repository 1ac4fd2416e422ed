# named: multi-head-indivisible-accepted
# d_model that n_heads does not divide is not refused
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.n_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        Q, K, V = (
            self.split(self.W_Q(query)),
            self.split(self.W_K(key)),
            self.split(self.W_V(value)),
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        context = (weights @ V).transpose(1, 2)
        return self.W_O(context.reshape(query.shape))
