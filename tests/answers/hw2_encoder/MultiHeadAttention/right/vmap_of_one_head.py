# one head, and vmap over batch and heads
import functools


def _one_head(q, k, v, allowed):
    """q (n_q, d), k, v (n_k, d), allowed (n_q, n_k) -> (n_q, d)."""
    logits = torch.where(allowed, q @ k.T / q.shape[-1] ** 0.5, -torch.inf)
    return logits.softmax(-1) @ v


_all_heads = torch.vmap(torch.vmap(_one_head))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        match divmod(d_model, n_heads):
            case d_head, 0:
                self.d_head, self.n_heads = d_head, n_heads
            case _, left:
                raise ValueError(f"{left} columns are left over")
        linear = functools.partial(nn.Linear, d_model, d_model)
        self.W_Q, self.W_K, self.W_V, self.W_O = linear(), linear(), linear(), linear()

    def forward(self, query, key, value, mask=None):
        split = lambda x: torch.stack(x.split(self.d_head, dim=-1), dim=1)
        q, k, v = split(self.W_Q(query)), split(self.W_K(key)), split(self.W_V(value))
        mask = torch.ones((), dtype=torch.bool) if mask is None else mask
        allowed = torch.broadcast_to(mask, (*q.shape[:3], k.shape[2]))
        heads = _all_heads(q, k, v, allowed)
        return self.W_O(torch.cat(heads.unbind(1), dim=-1))
