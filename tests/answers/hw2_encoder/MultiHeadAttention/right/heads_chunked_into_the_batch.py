# heads folded into the batch axis by chunk and cat, bmm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("heads don't fit")
        self.n = n_heads
        self.W_Q, self.W_K = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_V, self.W_O = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        batch = len(query)
        q, k, v = (
            torch.cat(layer(x).chunk(self.n, dim=2))
            for layer, x in zip((self.W_Q, self.W_K, self.W_V), (query, key, value))
        )
        scores = torch.bmm(q, k.transpose(1, 2)) / q.size(2) ** 0.5
        if mask is not None:
            shape = (batch, self.n, q.size(1), k.size(1))
            flat = mask.expand(shape).transpose(0, 1).reshape(-1, q.size(1), k.size(1))
            scores = scores.masked_fill(~flat, float("-inf"))
        z = torch.bmm(scores.softmax(2), v)
        return self.W_O(torch.cat(z.split(batch), dim=2))
