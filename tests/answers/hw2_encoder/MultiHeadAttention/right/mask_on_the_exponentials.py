# hidden exponentials are multiplied by 0 before the division
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

        self.register_buffer("calls", torch.zeros(()))

    def forward(self, query, key, value, mask=None):
        self.calls += 1
        Q, K, V = (
            torch.movedim(layer(x).unflatten(2, (self.n_heads, self.d_head)), 2, 1)
            for layer, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        scores = (Q / math.sqrt(self.d_head)) @ K.mT
        exponentials = torch.exp(scores - scores.amax(-1, keepdim=True))
        if mask is not None:
            exponentials = exponentials * mask
        context = exponentials @ V / exponentials.sum(-1, keepdim=True)
        return self.W_O(context.permute(0, 2, 1, 3).flatten(2))
