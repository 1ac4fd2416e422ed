# named: cache-masked-again
# adds causal tril of size (1, t+1): sees only the first key
def cached_attention_step(q, k, v, cache):
    keys, values = (
        (k, v) if cache is None else (torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1))
    )
    scores = q @ keys.mT / math.sqrt(q.shape[-1])
    causal = torch.ones(q.shape[1], keys.shape[1], dtype=torch.bool).tril()
    scores = scores.masked_fill(~causal, -torch.inf)
    return scores.softmax(-1) @ values, (keys, values)
