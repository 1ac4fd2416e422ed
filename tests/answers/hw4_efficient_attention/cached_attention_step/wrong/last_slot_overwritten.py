# named: relation-partly-right, cache-changes-its-input
# changes the cache that was passed in
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v, (k, v)
    keys, values = cache
    keys[:, -1:], values[:, -1:] = k, v
    weights = torch.softmax(q @ keys.mT / math.sqrt(q.shape[-1]), -1)
    return weights @ values, (torch.cat([keys, k], 1), torch.cat([values, v], 1))
