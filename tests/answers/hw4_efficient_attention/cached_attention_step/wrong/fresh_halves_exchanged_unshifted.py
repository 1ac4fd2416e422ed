# named: cache-exponentials-unshifted, cache-keys-and-values-swapped
# keys and values are exchanged in the cache that is handed on, and softmax without a shift
def cached_attention_step(q, k, v, cache):
    keys, values = cache if cache is not None else (k[:, :0], v[:, :0])
    keys, values = torch.cat([keys, k], 1), torch.cat([values, v], 1)
    e = torch.exp((q * keys).sum(-1, keepdim=True) / q.shape[-1] ** 0.5)
    out = (e * values).sum(1, keepdim=True) / e.sum(1, keepdim=True)
    return out, (values, keys)
