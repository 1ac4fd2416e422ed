# scores of the old tokens and of the new one, joined before the softmax
def cached_attention_step(q, k, v, cache):
    own = (q * k).sum(-1, keepdim=True) / math.sqrt(q.shape[-1])
    if cache is None:
        return v.clone(), (k.clone(), v.clone())
    keys, values = cache
    old = q @ keys.transpose(-1, -2) / math.sqrt(q.shape[-1])
    weights = torch.softmax(torch.cat([old, own], dim=-1), dim=-1)
    output = weights[..., :-1] @ values + weights[..., -1:] * v
    return output, (torch.cat([keys, k], 1), torch.cat([values, v], 1))
