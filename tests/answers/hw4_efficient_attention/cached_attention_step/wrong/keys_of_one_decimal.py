# named: nothing
# old keys are kept with one decimal, to save memory
def cached_attention_step(q, k, v, cache):
    keys, values = k, v
    if cache is not None:
        keys = torch.cat([torch.round(cache[0], decimals=1), k], dim=1)
        values = torch.cat([cache[1], v], dim=1)
    return full_attention(q, keys, values), (keys, values)
