# named: cache-query-axis-lost
# output without the axis
def cached_attention_step(q, k, v, cache):
    keys = k if cache is None else torch.cat([cache[0], k], dim=1)
    values = v if cache is None else torch.cat([cache[1], v], dim=1)
    scores = (keys @ q.transpose(1, 2)).squeeze(-1) / math.sqrt(q.shape[-1])
    w = torch.softmax(scores, dim=1)
    out = torch.einsum("bt,btd->bd", w, values)
    return out, (keys, values)
