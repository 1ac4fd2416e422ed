# named: crash-list
# torch.cat of two arguments
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        keys, values = cache
        k = torch.cat(keys, k, dim=1)
        v = torch.cat(values, v, dim=1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ v, (k, v)
