# named: cache-new-token-not-attended
# the new token isn't in what it attends to
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v, (k, v)
    weights = torch.softmax(q @ cache[0].mT / math.sqrt(q.shape[-1]), -1)
    return weights @ cache[1], (torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1))
