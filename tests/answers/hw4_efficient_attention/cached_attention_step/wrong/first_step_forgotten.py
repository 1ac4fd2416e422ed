# named: cache-none-unpacked
# None is unpacked
def cached_attention_step(q, k, v, cache):
    keys, values = cache
    keys, values = torch.cat([keys, k], 1), torch.cat([values, v], 1)
    return full_attention(q, keys, values), (keys, values)
