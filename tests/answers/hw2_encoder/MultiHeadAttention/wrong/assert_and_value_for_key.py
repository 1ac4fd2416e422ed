# named: multi-head-indivisible-asserted, multi-head-keys-from-value
# divisibility by assert, and the keys are made of the values
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0, "n_heads must divide d_model"
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b = query.shape[0]
        Q = self.W_Q(query).view(b, -1, self.h, self.d_k).transpose(1, 2)
        K = self.W_K(value).view(b, -1, self.h, self.d_k).transpose(1, 2)
        V = self.W_V(value).view(b, -1, self.h, self.d_k).transpose(1, 2)
        s = torch.matmul(Q, K.transpose(-1, -2)) / self.d_k**0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        return self.W_O(torch.matmul(s.softmax(-1), V).transpose(1, 2).reshape(b, -1, self.d_model))
