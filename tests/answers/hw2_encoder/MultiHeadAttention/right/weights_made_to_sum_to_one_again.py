# hidden weights are set to 0 after the softmax of shifted scores, and the others divided again
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def one_sentence(self, Q, K, V, mask):
        scores = (Q @ K.mT / math.sqrt(self.d_head)).double()
        if mask is not None:
            lowest = scores.amin().detach() - 800
            scores = scores * mask + lowest * ~mask
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = weights * mask / (weights * mask).sum(-1, keepdim=True)
        return weights.float() @ V

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.view(*x.shape[:2], self.n_heads, self.d_head).transpose(1, 2)

        Q, K, V = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        if mask is not None:
            mask = mask.expand(len(query), self.n_heads, query.shape[1], key.shape[1])
        masks = [None] * len(query) if mask is None else mask
        heads = torch.stack([self.one_sentence(*each) for each in zip(Q, K, V, masks)])
        return self.W_O(torch.cat(heads.unbind(1), -1))
