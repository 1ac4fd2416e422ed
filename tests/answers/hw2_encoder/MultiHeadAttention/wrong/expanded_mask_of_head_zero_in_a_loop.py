# named: multi-head-first-heads-mask-for-all
# a loop over heads takes head 0's part of the expanded mask each time
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("no")
        self.h = n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        heads = []
        if mask is not None:
            mask = mask.expand(query.size(0), self.h, query.size(1), key.size(1))
        for q, k, v in zip(
            self.W_Q(query).chunk(self.h, -1),
            self.W_K(key).chunk(self.h, -1),
            self.W_V(value).chunk(self.h, -1),
        ):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            if mask is not None:
                s = s.masked_fill(~mask[:, 0], float("-inf"))
            heads.append(s.softmax(-1) @ v)
        return self.W_O(torch.cat(heads, -1))
