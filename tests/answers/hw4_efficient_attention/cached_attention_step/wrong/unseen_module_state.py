# named: cache-of-its-own
# what: keeps its own state between calls in a global list, ignores the cache given
_seen = []


def cached_attention_step(q, k, v, cache):
    global _seen
    if cache is None:
        _seen = []
    _seen.append((k, v))
    K = torch.cat([a for a, _ in _seen], 1)
    V = torch.cat([b for _, b in _seen], 1)
    return full_attention(q, K, V), (K, V)
