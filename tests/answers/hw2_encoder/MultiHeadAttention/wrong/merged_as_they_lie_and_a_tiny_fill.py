# named: multi-head-merged-by-view-alone, multi-head-hidden-scores-near-zero
# heads merged without transposing back, and hidden keys get +1e-9
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b, n_q, d = query.shape
        n_k = key.shape[1]
        q = self.W_Q(query).view(b, n_q, self.n_heads, self.d_head).transpose(1, 2)
        k = self.W_K(key).view(b, n_k, self.n_heads, self.d_head).transpose(1, 2)
        v = self.W_V(value).view(b, n_k, self.n_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == False, 1e-9)
        out = torch.softmax(scores, dim=-1) @ v
        return self.W_O(out.reshape(b, n_q, d))
