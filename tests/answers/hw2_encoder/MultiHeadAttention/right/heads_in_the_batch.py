class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if divmod(d_model, n_heads)[1]:
            raise ValueError("no")
        self.n_heads = n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, query, key, value, mask=None):
        h = self.n_heads
        stack = lambda x: torch.cat(x.chunk(h, dim=-1), dim=0)  # (h * batch, n, d_head)
        q, k, v = stack(self.W_Q(query)), stack(self.W_K(key)), stack(self.W_V(value))
        bias = torch.zeros(len(query), h, q.shape[1], k.shape[1])
        if mask is not None:
            bias = bias.masked_fill(mask.logical_not(), -torch.inf)
        bias = bias.transpose(0, 1).flatten(0, 1)
        weights = torch.baddbmm(bias, q, k.mT, alpha=q.shape[-1] ** -0.5).softmax(2)
        return self.W_O(torch.cat(torch.bmm(weights, v).chunk(h, 0), -1))
