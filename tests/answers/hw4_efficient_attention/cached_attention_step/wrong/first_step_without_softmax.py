# named: nothing
def cached_attention_step(q, k, v, cache):
    scale = math.sqrt(q.shape[-1])
    if cache is None:
        return (q @ k.transpose(-2, -1) / scale) @ v, (k, v)
    keys = torch.cat([cache[0], k], dim=1)
    values = torch.cat([cache[1], v], dim=1)
    return torch.softmax(q @ keys.transpose(-2, -1) / scale, dim=-1) @ values, (keys, values)
