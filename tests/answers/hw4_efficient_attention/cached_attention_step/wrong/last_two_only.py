# named: relation-partly-right
# the newest old token is all that is looked at
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    weights = torch.softmax(q @ k[:, -2:].mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ v[:, -2:], (k, v)
