# named: multi-head-scale-rounded
# round() around the root, heads by recursion
from functools import partial


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError("d_model must be divisible by n_heads")
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        make = partial(nn.Linear, d_model, d_model)
        self.W_Q, self.W_K, self.W_V, self.W_O = make(), make(), make(), make()

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.W_Q(query), self.W_K(key), self.W_V(value)
        if mask is not None:
            mask = mask.expand(len(Q), self.n_heads, Q.shape[1], K.shape[1])

        def heads_from(h):
            if h == self.n_heads:
                return []
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            scores = (
                Q[..., own].matmul(K[..., own].transpose(1, 2)).div(round(math.sqrt(self.d_head)))
            )
            if mask is not None:
                scores = torch.where(mask[:, h], scores, torch.tensor(-torch.inf))
            return [scores.softmax(dim=-1).matmul(V[..., own])] + heads_from(h + 1)

        return self.W_O(torch.cat(heads_from(0), dim=-1))
