# named: cache-scaled-after-softmax
# the scale one line too late
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    weights = torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1])
    return weights @ v, (k, v)
