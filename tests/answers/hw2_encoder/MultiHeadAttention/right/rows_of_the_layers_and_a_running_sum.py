class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        quotient, rest = divmod(d_model, n_heads)
        if rest:
            raise ValueError("heads")
        self.shape = (n_heads, quotient)
        self.W_Q, self.W_K, self.W_V, self.W_O = map(nn.Linear, [d_model] * 4, [d_model] * 4)

    def forward(self, query, key, value, mask=None):
        h, d = self.shape
        O = self.W_O.weight.view(-1, h, d)
        total = self.W_O.bias
        for i in range(h):
            rows = slice(i * d, i * d + d)
            q = F.linear(query, self.W_Q.weight[rows], self.W_Q.bias[rows])
            k = F.linear(key, self.W_K.weight[rows], self.W_K.bias[rows])
            v = F.linear(value, self.W_V.weight[rows], self.W_V.bias[rows])
            s = torch.bmm(q / math.sqrt(d), k.mT)
            if mask is not None:
                m = mask.expand(query.shape[0], h, query.shape[1], key.shape[1])[:, i]
                s = torch.where(m, s, -math.inf)
            total = total + (s.softmax(-1) @ v) @ O[:, i].T
        return total
