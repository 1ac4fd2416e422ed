# named: cache-of-the-last-4
# a cache that slides: only the last four tokens are kept
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)[:, -4:]
        v = torch.cat([cache[1], v], dim=1)[:, -4:]
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ v, (k, v)
