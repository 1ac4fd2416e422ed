# the batch as a loop
def cached_attention_step(q, k, v, cache):
    outputs, keys, values = [], [], []
    for b in range(len(q)):
        K = k[b] if cache is None else torch.vstack([cache[0][b], k[b]])
        V = v[b] if cache is None else torch.vstack([cache[1][b], v[b]])
        weights = ((K @ q[b, 0]) * q.shape[-1] ** -0.5).softmax(0)
        outputs.append((weights[:, None] * V).sum(0, keepdim=True))
        keys.append(K)
        values.append(V)
    return torch.stack(outputs), (torch.stack(keys), torch.stack(values))
