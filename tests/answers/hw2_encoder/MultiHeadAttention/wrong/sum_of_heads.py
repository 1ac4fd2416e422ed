# named: multi-head-weights-averaged
# the heads in a loop, padded out and averaged instead of put side by side
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
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        result = torch.zeros_like(Q)
        for head in range(self.h):
            cols = slice(head * self.d_k, head * self.d_k + self.d_k)
            scores = Q[:, :, cols] @ K[:, :, cols].transpose(1, 2) / math.sqrt(self.d_k)
            if mask is not None:
                full = torch.broadcast_to(mask, (Q.shape[0], self.h, Q.shape[1], K.shape[1]))
                scores = scores.masked_fill(~full[:, head], -1e10)
            result += torch.softmax(scores, dim=-1) @ V
        return self.W_O(result / self.h)
