# named: multi-head-mask-inverted
# torch.where with its options exchanged, so the mask hides what it allows
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
        b, n, _ = query.size()
        m = key.size(1)
        q = self.W_Q(query).reshape(b, n, self.h, self.d_k).permute(0, 2, 1, 3)
        k = self.W_K(key).reshape(b, m, self.h, self.d_k).permute(0, 2, 3, 1)
        v = self.W_V(value).reshape(b, m, self.h, self.d_k).permute(0, 2, 1, 3)
        energy = q @ k / (self.d_k**0.5)
        if mask is not None:
            energy = torch.where(mask, torch.tensor(-1e20), energy)
        attention = torch.softmax(energy, dim=3)
        return self.W_O((attention @ v).permute(0, 2, 1, 3).reshape(b, n, self.d_model))
