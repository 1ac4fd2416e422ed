# named: cache-scaled-by-the-length
# scaled by the root of the number of tokens; harmless detach of nothing, asserts
def cached_attention_step(q, k, v, cache):
    assert q.shape[1] == 1
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    t = k.shape[1]
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(t), dim=-1)
    return weights @ v, (k, v)
