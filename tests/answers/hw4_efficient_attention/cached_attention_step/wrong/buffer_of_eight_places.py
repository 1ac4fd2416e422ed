# named: crash-shapes, crash-broadcast, relation-partly-right
# a buffer of fixed size: the ninth token has no place in it
def cached_attention_step(q, k, v, cache):
    t = 0 if cache is None else cache[0].shape[1]
    keys, values = torch.zeros(2, q.shape[0], 8, q.shape[2])
    if cache is not None:
        keys[:, :t], values[:, :t] = cache
    keys[:, t : t + 1], values[:, t : t + 1] = k, v
    keys, values = keys[:, : t + 1], values[:, : t + 1]
    return full_attention(q, keys, values), (keys, values)
