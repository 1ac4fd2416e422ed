# named: cache-query-axis-lost
# one row a sentence comes back
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    scores = (k @ q.transpose(1, 2)).squeeze(-1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bt,btd->bd", weights, v), (k, v)
