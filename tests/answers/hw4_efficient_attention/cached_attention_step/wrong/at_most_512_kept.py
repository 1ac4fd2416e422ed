# named: cache-of-the-last-512
# the oldest tokens fall out of a cache of 512
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    k, v = k[:, -512:], v[:, -512:]
    return full_attention(q, k, v), (k, v)
