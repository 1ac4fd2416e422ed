# named: multi-head-mask-inverted
# the mask is taken the other way round (True = hidden), in torch.where and with finfo.min
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model / n_heads != d_model // n_heads:
            raise ValueError
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        Q = torch.stack(self.W_Q(query).split(self.d_head, -1), 1)
        K = torch.stack(self.W_K(key).split(self.d_head, -1), 1)
        V = torch.stack(self.W_V(value).split(self.d_head, -1), 1)
        scores = Q @ K.mT * self.d_head**-0.5
        if mask is not None:
            lowest = torch.finfo(scores.dtype).min
            scores = torch.where(mask, torch.full_like(scores, lowest), scores)
        heads = torch.softmax(scores, -1) @ V
        return self.W_O(torch.cat(heads.unbind(1), -1))
