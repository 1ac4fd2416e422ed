def cached_attention_step(q, k, v, cache):
    """The new token's own share is merged with the average of the past."""
    if cache is None:
        return v.clone(), (k.clone(), v.clone())
    keys, values = cache
    scale = 1 / math.sqrt(q.shape[-1])
    own = (q * k).sum(-1, keepdim=True) * scale
    past = torch.bmm(q * scale, keys.transpose(1, 2))
    past_mass = past.logsumexp(-1, keepdim=True)
    past_average = torch.bmm(past.softmax(-1), values)
    share = torch.sigmoid(own - past_mass)
    output = share * v + (1 - share) * past_average
    return output, (torch.cat([keys, k], 1), torch.cat([values, v], 1))
