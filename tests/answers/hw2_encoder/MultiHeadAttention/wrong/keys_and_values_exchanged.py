# named: multi-head-layers-of-keys-and-values-exchanged
# W_K projects the values and W_V the keys: arguments in another order
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def heads(x, layer):
            y = layer(x)
            return y.view(y.shape[0], y.shape[1], self.h, self.d_k).transpose(1, 2)

        q, k, v = heads(query, self.W_Q), heads(key, self.W_V), heads(value, self.W_K)
        scores = q @ k.transpose(-1, -2)
        scores = scores / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        att = torch.softmax(scores, dim=-1)
        z = (att @ v).transpose(1, 2)
        return self.W_O(z.flatten(2))
