# named: cache-new-token-not-attended, cache-scaled-by-the-length
# new token not attended to (unless first); sqrt of number of keys
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v.clone(), (k, v)
    keys, values = cache
    scores = q @ keys.transpose(1, 2) / math.sqrt(keys.shape[1])
    output = torch.softmax(scores, dim=-1) @ values
    return output, (torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1))
