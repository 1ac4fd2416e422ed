# heads are folded into the batch, then bmm and baddbmm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        batch, n_q, d_model = query.shape
        n_k, groups = key.shape[1], batch * self.n_heads

        def fold(x):
            heads = torch.stack(x.split(self.d_head, dim=-1), dim=1)
            return heads.reshape(groups, -1, self.d_head)

        Q, K, V = fold(self.W_Q(query)), fold(self.W_K(key)), fold(self.W_V(value))
        bias = torch.zeros(batch, self.n_heads, n_q, n_k)
        if mask is not None:
            bias = torch.where(mask, bias, -torch.inf)
        scores = torch.baddbmm(bias.view(groups, n_q, n_k), Q, K.mT, alpha=self.d_head**-0.5)
        context = torch.bmm(torch.softmax(scores, dim=-1), V).view(batch, self.n_heads, n_q, -1)
        return self.W_O(torch.cat(context.unbind(1), dim=-1))
