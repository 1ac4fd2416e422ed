# named: cache-of-lists
# cache changed in place / list
def cached_attention_step(q, k, v, cache):
    if cache is None:
        cache = ([], [])
    cache[0].append(k)
    cache[1].append(v)
    keys, values = torch.cat(cache[0], 1), torch.cat(cache[1], 1)
    w = torch.softmax(q @ keys.mT / math.sqrt(q.size(-1)), -1)
    return w @ values, cache
