# right; the old average is corrected by the new token (online)
def cached_attention_step(q, k, v, cache):
    root = math.sqrt(q.shape[-1])
    mine = (q * k).sum(-1, keepdim=True) / root
    if cache is None:
        return v + 0, (k.clone(), v.clone())
    past = q @ cache[0].mT / root
    low = torch.logsumexp(past, -1, keepdim=True)
    share = torch.sigmoid(mine - low)
    mean = torch.exp(past - low) @ cache[1]
    return torch.lerp(mean, v, share), tuple(torch.cat(p, 1) for p in zip(cache, (k, v)))
