# named: cache-not-begun
# the first step keeps nothing (returns None for the cache)
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v.clone(), None
    keys, values = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    a = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(keys.shape[2]), -1)
    return a @ values, (keys, values)
