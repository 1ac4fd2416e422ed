# named: multi-head-zero-sums-hidden
# a key whose features sum to 0 is taken for padding, as in Kyubyong's code
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("d_model must be a multiple of n_heads")
        self.n_heads = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = q @ k.mT / k.shape[-1] ** 0.5
        real = torch.sign(torch.abs(key.sum(-1)))[:, None, None, :]
        scores = scores.masked_fill(real == 0, -(2.0**32) + 1)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
        return self.W_O((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
