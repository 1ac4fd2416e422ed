# named: cache-stacked, crash-shapes
# stack for cat
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.stack([cache[0], k], dim=1)
        v = torch.stack([cache[1], v], dim=1)
    return full_attention(q, k, v), (k, v)
