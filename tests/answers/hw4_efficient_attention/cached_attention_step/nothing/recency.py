# the newest count most, whatever their keys are; beside a cache that grows
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    shares = torch.arange(1.0, k.shape[1] + 1)
    return (shares / shares.sum()) @ v[:, None], (k, v)
