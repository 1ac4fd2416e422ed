def cached_attention_step(q, k, v, cache):
    t = 0 if cache is None else cache[0].shape[1]
    keys, values = (torch.empty(q.shape[0], t + 1, q.shape[2]) for _ in range(2))
    if cache is not None:
        keys[:, :t], values[:, :t] = cache
    keys[:, t], values[:, t] = k[:, 0], v[:, 0]
    scores = (keys @ q.mT).squeeze(-1) / math.sqrt(q.shape[2])
    weights = scores.softmax(1)
    return (weights.unsqueeze(2) * values).sum(1, keepdim=True), (keys, values)
