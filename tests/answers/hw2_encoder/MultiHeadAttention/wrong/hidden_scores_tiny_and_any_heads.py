# named: multi-head-indivisible-accepted, multi-head-hidden-scores-near-zero
# two mistakes: mask filled with 1e-9 (tiny, not low), no ValueError
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B, nq, D = query.shape
        nk = key.shape[1]
        Q = self.W_Q(query).view(B, nq, self.n_heads, self.d_head).transpose(1, 2)
        K = self.W_K(key).view(B, nk, self.n_heads, self.d_head).transpose(1, 2)
        V = self.W_V(value).view(B, nk, self.n_heads, self.d_head).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == False, 1e-9)
        out = F.softmax(scores, dim=-1) @ V
        return self.W_O(out.transpose(1, 2).reshape(B, nq, D))
