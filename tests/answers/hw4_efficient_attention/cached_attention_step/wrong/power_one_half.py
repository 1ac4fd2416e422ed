# named: cache-scaled-by-half-d
# ** 1/2 is a half
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    root = q.shape[-1] ** 1 / 2
    return torch.softmax(q @ k.transpose(1, 2) / root, dim=-1) @ v, (k, v)
