# named: cache-kept-in-halves
# the cache is kept in float16
def cached_attention_step(q, k, v, cache):
    k, v = k.half(), v.half()
    if cache is not None:
        k, v = torch.cat([cache[0].half(), k], 1), torch.cat([cache[1].half(), v], 1)
    return full_attention(q, k.float(), v.float()), (k, v)
