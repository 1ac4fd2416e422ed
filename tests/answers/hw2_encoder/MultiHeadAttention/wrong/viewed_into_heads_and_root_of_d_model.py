# named: multi-head-split-and-merged-by-view-alone, multi-head-scaled-by-d-model
# view without transpose; sqrt(d_model)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.d_model, self.n_heads, self.d_head = d_model, n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b = query.size(0)
        Q = self.W_Q(query).view(b, self.n_heads, -1, self.d_head)
        K = self.W_K(key).view(b, self.n_heads, -1, self.d_head)
        V = self.W_V(value).view(b, self.n_heads, -1, self.d_head)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_model)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        out = torch.softmax(scores, dim=-1) @ V
        return self.W_O(out.view(b, -1, self.d_model))
