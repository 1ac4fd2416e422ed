# one head of one sentence, lifted by vmap to heads and then to the batch
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if math.gcd(d_model, n_heads) != n_heads:
            raise ValueError("the heads need equal shares")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    @staticmethod
    def one_head(Q, K, V, bias):
        return torch.softmax(torch.addmm(bias, Q, K.T, alpha=Q.shape[1] ** -0.5), dim=1) @ V

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.n_heads, query.shape[1], key.shape[1])
        bias = torch.zeros(shape)
        if mask is not None:
            bias = bias.masked_fill(torch.logical_not(mask), float("-inf"))
        Q, K, V = (
            torch.stack(torch.tensor_split(projected, self.n_heads, dim=2))
            for projected in (self.W_Q(query), self.W_K(key), self.W_V(value))
        )
        sentences = torch.vmap(self.one_head)  # over the batch
        heads = torch.vmap(sentences)(Q, K, V, bias.transpose(0, 1))
        return self.W_O(torch.cat(list(heads), dim=-1))
