# named: cache-of-its-own
# the argument is ignored: the cache lives in a variable of the cell
_memory = []


def cached_attention_step(q, k, v, cache):
    if cache is None:
        _memory.clear()
    _memory.append((k, v))
    keys = torch.cat([key for key, _ in _memory], dim=1)
    values = torch.cat([value for _, value in _memory], dim=1)
    return full_attention(q, keys, values), (keys, values)
