# named: multi-head-mask-after-softmax
# the weights of hidden keys are set to 0 after the softmax and not normalised again
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
        B, N, D = query.shape
        M = key.shape[1]
        Q = self.W_Q(query).reshape(B, N, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        K = self.W_K(key).reshape(B, M, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        V = self.W_V(value).reshape(B, M, self.n_heads, self.d_head).permute(0, 2, 1, 3)
        scores = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.d_head**0.5
        A = torch.softmax(scores, -1)
        if mask is not None:
            A = torch.where(mask, A, torch.zeros_like(A))
        out = torch.matmul(A, V).permute(0, 2, 1, 3).reshape(B, N, D)
        return self.W_O(out)
