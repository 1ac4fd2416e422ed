# the plain average of all values, beside a cache that grows
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    return v.mean(1, keepdim=True), (k, v)
