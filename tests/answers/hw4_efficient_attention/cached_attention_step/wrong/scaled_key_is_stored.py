# named: cache-new-key-scaled
# the scale goes into the cache with the key
def cached_attention_step(q, k, v, cache):
    k = k / math.sqrt(k.shape[-1])
    keys = k if cache is None else torch.cat([cache[0], k], 1)
    values = v if cache is None else torch.cat([cache[1], v], 1)
    return torch.softmax(q @ keys.mT, -1) @ values, (keys, values)
