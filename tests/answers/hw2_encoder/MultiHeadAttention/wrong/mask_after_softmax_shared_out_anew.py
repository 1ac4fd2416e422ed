# named: multi-head-mask-after-softmax-shared-out-anew
# zeroes hidden weights after the softmax and renormalises, which becomes 0/0 when a hidden key's score is far above the visible ones
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model not divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.n_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.W_Q(query)), self.split(self.W_K(key)), self.split(self.W_V(value))
        w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)
        if mask is not None:
            w = w * mask
            w = w / w.sum(dim=-1, keepdim=True)
        return self.W_O((w @ v).transpose(1, 2).flatten(2))
