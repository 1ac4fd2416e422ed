# named: multi-head-relu-after-projections
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("no")
        self.h = n_heads
        self.d = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.h, self.d).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            self.split(torch.relu(self.W_Q(query))),
            self.split(torch.relu(self.W_K(key))),
            self.split(torch.relu(self.W_V(value))),
        )
        s = q @ k.transpose(-2, -1) / self.d**0.5
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        w = torch.softmax(s, dim=-1)
        return self.W_O((w @ v).transpose(1, 2).flatten(2))
