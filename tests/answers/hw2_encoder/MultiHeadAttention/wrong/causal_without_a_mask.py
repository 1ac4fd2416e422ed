# named: multi-head-causal-without-a-mask
# causal where no mask is given
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError(f"d_model must be divisible by n_heads ({d_model}, {n_heads})")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B, nq, d = query.shape
        nk = key.shape[1]
        h, dh = self.n_heads, self.d_head
        Q = self.W_Q(query).view(B, nq, h, dh).transpose(1, 2)
        K = self.W_K(key).view(B, nk, h, dh).transpose(1, 2)
        V = self.W_V(value).view(B, nk, h, dh).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(-2, -1)) / dh**0.5
        if mask is None:
            mask = torch.tril(torch.ones(nq, nk)).bool()
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        attn = F.softmax(scores, dim=-1)
        out = torch.matmul(attn, V)
        out = out.transpose(1, 2).contiguous().view(B, nq, d)
        return self.W_O(out)
