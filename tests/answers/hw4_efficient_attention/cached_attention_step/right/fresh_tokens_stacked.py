# right; lists of tokens, stacked again
def cached_attention_step(q, k, v, cache):
    old = ([], []) if cache is None else [list(part.unbind(1)) for part in cache]
    keys, values = (torch.stack([*a, b.squeeze(1)], 1) for a, b in zip(old, (k, v)))
    parts = [(q[:, 0] * key).sum(-1) / math.sqrt(q.shape[-1]) for key in keys.unbind(1)]
    weights = torch.stack(parts, -1).softmax(-1)
    return torch.einsum("bt,btd->bd", weights, values)[:, None], [keys, values]
