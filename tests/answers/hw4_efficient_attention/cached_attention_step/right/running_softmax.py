# one key after the other: largest score, sum and average so far
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k.clone(), v.clone()
    else:
        keys, values = (torch.cat(both, dim=1) for both in zip(cache, (k, v)))
    q = q.squeeze(1)
    largest = torch.full((len(q), 1), -math.inf)
    total, average = torch.zeros(len(q), 1), torch.zeros_like(q)
    for t in range(keys.shape[1]):
        score = (q * keys[:, t]).sum(-1, keepdim=True) / math.sqrt(q.shape[-1])
        new = torch.maximum(largest, score)
        keep, add = torch.exp(largest - new), torch.exp(score - new)
        average = average * keep + add * values[:, t]
        total, largest = total * keep + add, new
    return (average / total).unsqueeze(1), (keys, values)
