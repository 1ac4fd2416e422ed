# named: multi-head-masks-in-another-order
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
        B, n_q, n_k = query.size(0), query.size(1), key.size(1)

        def fold(x):
            x = x.view(B, -1, self.n_heads, self.d_head).transpose(1, 2)
            return x.reshape(B * self.n_heads, -1, self.d_head)

        q, k, v = fold(self.W_Q(query)), fold(self.W_K(key)), fold(self.W_V(value))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_head)
        if mask is not None:
            mask = mask.expand(B, self.n_heads, n_q, n_k).transpose(0, 1).reshape(-1, n_q, n_k)
            scores = scores.masked_fill(mask == 0, -1e9)
        out = torch.bmm(scores.softmax(dim=-1), v).view(B, self.n_heads, n_q, self.d_head)
        return self.W_O(out.transpose(1, 2).reshape(B, n_q, self.d_model))
