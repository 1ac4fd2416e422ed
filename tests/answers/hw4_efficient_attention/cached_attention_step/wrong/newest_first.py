# named: cache-newest-first
# the new token in front
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        keys = torch.cat([k, cache[0]], dim=1)
        values = torch.cat([v, cache[1]], dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, (keys, values)
