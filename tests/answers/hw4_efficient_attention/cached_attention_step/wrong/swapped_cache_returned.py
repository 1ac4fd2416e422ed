# named: cache-keys-and-values-swapped
# the cache comes back as (values, keys)
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    out = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v
    return out, (v, k)
