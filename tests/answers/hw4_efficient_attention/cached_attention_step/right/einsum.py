def cached_attention_step(q, k, v, cache):
    keys = k if cache is None else torch.cat([cache[0], k], dim=-2)
    values = v if cache is None else torch.cat([cache[1], v], dim=-2)
    scores = torch.einsum("bqd,bkd->bqk", q, keys) * q.shape[-1] ** -0.5
    return torch.einsum("bqk,bkd->bqd", F.softmax(scores, -1), values), (keys, values)
