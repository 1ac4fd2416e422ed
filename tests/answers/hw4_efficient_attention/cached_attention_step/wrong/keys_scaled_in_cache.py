# named: cache-changes-its-input
# scales the cached keys in place before the product, so the cache that was passed in is changed
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v, (k, v)
    keys, values = cache
    new_keys = torch.cat([keys, k], dim=1)
    new_values = torch.cat([values, v], dim=1)
    root = math.sqrt(q.shape[-1])
    keys /= root
    scores = torch.cat([q @ keys.mT, q @ k.mT / root], dim=-1)
    return torch.softmax(scores, dim=-1) @ new_values, (new_keys, new_values)
