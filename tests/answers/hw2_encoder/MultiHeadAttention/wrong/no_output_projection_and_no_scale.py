# named: multi-head-no-output-projection, multi-head-not-scaled
# W_O is made but not used, and the scores are not scaled
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
        batch, n_q = query.shape[:2]
        n_k = key.shape[1]
        Q = self.W_Q(query).view(batch, n_q, self.h, self.d_k).transpose(1, 2)
        K = self.W_K(key).view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        V = self.W_V(value).view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(2, 3))
        if mask is not None:
            scores.masked_fill_(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        out = torch.matmul(weights, V)
        out = out.transpose(1, 2).contiguous().view(batch, n_q, -1)
        return out
