# named: multi-head-residual-added
# the residual is added inside: W_O(context) + query
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
        residual = query
        q = self.W_Q(query).view(query.size(0), -1, self.n_heads, self.d_head).transpose(1, 2)
        k = self.W_K(key).view(key.size(0), -1, self.n_heads, self.d_head).transpose(1, 2)
        v = self.W_V(value).view(value.size(0), -1, self.n_heads, self.d_head).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        context = torch.matmul(torch.softmax(scores, dim=-1), v)
        context = (
            context.transpose(1, 2).contiguous().view(query.size(0), -1, self.n_heads * self.d_head)
        )
        return self.W_O(context) + residual
