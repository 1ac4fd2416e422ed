# named: nothing
# a token whose key and value equal the last ones is "in the cache already" and isn't appended,
# so repeated tokens count once and the cache is too short
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        keys, values = cache
        if not (torch.equal(keys[:, -1:], k) and torch.equal(values[:, -1:], v)):
            keys, values = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    weights = F.softmax(torch.bmm(q, keys.transpose(1, 2)) / math.sqrt(q.size(-1)), dim=-1)
    return torch.bmm(weights, values), (keys, values)
