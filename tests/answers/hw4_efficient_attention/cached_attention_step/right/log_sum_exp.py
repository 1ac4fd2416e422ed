# weights as e to the power of (score - log of the sum)
def cached_attention_step(q, k, v, cache):
    keys, values = (k, v) if cache is None else map(torch.cat, zip(cache, (k, v)), (1, 1))
    s = (q * keys).sum(-1) / math.sqrt(q.shape[-1])
    w = torch.exp(s - torch.logsumexp(s, dim=1, keepdim=True))
    return torch.matmul(w.unsqueeze(1), values), (keys, values)
