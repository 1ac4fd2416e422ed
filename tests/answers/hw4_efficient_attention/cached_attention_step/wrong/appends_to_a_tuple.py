# named: cache-appended-to-a-tuple
# a tuple has no append
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        cache.append((k, v))
        keys, values = cache
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, (keys, values)
