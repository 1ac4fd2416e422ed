# named: multi-head-mask-without-effect
# the result of masked_fill is thrown away, so masks do nothing; beside a harmless mask.to(bool)
# and dim check
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("no")
        self.d_k = d_model // n_heads
        self.heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, self.d_k).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        Q, K, V = (
            self.split(self.W_Q(query)),
            self.split(self.W_K(key)),
            self.split(self.W_V(value)),
        )
        attn_scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            mask = mask.to(torch.bool)
            while mask.dim() < 4:
                mask = mask.unsqueeze(0)
            attn_scores.masked_fill(mask == 0, -1e9)
        probs = torch.softmax(attn_scores, dim=-1)
        out = torch.matmul(probs, V).permute(0, 2, 1, 3).contiguous()
        return self.W_O(out.view(out.size(0), out.size(1), self.heads * self.d_k))
