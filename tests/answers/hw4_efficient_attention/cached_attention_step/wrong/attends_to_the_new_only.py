# named: cache-new-token-alone-attended, relation-returns-input
# the value comes back
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        keys = torch.cat([cache[0], k], dim=1)
        values = torch.cat([cache[1], v], dim=1)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return v, (keys, values)
