# named: cache-new-token-not-attended
# what: attends to the cache before the new token is added (itself invisible), unless the cache is empty
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v.clone(), (k, v)
    K, V = cache
    s = torch.bmm(q, K.transpose(1, 2)).div(math.sqrt(q.size(-1)))
    out = torch.bmm(s.softmax(dim=2), V)
    return out, (torch.cat((K, k), 1), torch.cat((V, v), 1))
