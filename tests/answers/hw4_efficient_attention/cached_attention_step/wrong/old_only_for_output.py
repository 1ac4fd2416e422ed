# named: cache-new-token-not-attended, cache-scaled-by-d
# attends before appending, two: not self; divides by d
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v, (k, v)
    keys, values = cache
    w = torch.softmax(q @ keys.transpose(1, 2) / q.shape[-1], dim=-1)
    out = w @ values
    return out, (torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1))
