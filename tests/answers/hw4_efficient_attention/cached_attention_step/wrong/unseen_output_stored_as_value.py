# named: cache-output-kept-for-the-value
# what: the output, not the value, goes into the cache
def cached_attention_step(q, k, v, cache):
    if cache is None:
        K, V = k, v
    else:
        K, V = torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)
    out = full_attention(q, K, V)
    V = torch.cat([V[:, :-1], out], dim=1)
    return out, (K, V)
