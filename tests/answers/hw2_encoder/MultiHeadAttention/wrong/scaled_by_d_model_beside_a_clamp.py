# named: multi-head-scaled-by-d-model
# scale by the square root of d_model; beside it a nan_to_num and a clamp that do nothing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.d_model = d_model
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B = query.size(0)
        Q = self.W_Q(query).view(B, -1, self.n_heads, self.d_model // self.n_heads).transpose(1, 2)
        K = self.W_K(key).view(B, -1, self.n_heads, self.d_model // self.n_heads).transpose(1, 2)
        V = self.W_V(value).view(B, -1, self.n_heads, self.d_model // self.n_heads).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_model)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        w = torch.nan_to_num(torch.softmax(scores, dim=-1)).clamp(0, 1)
        x = torch.matmul(w, V).transpose(1, 2).contiguous().view(B, -1, self.d_model)
        return self.W_O(x)
