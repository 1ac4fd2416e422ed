# named: nothing
# squeeze(0): the output of a single sentence loses its batch
def cached_attention_step(q, k, v, cache):
    keys = k if cache is None else torch.cat((cache[0], k), 1)
    values = v if cache is None else torch.cat((cache[1], v), 1)
    weights = (torch.einsum("bqd,btd->bqt", q, keys) / q.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum("bqt,btd->bqd", weights, values).squeeze(0), (keys, values)
