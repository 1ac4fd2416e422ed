# named: cache-softmax-over-queries
# softmax over the axis of one query
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    s = k @ q.transpose(1, 2) / math.sqrt(q.size(-1))
    a = F.softmax(s, dim=-1)
    return a.transpose(1, 2) @ v, (k, v)
