# an instance that is called; tokens one by one
class _KVStep:
    """The cache is a plain pair outside; inside, tokens are walked through one by one (online softmax)."""

    def __init__(self, d):
        self.scale = 1.0 / d**0.5

    def __call__(self, q, pairs):
        top = total = out = None
        for key, value in pairs:
            score = (q * key).sum(dim=-1, keepdim=True) * self.scale
            if top is None:
                top, total, out = score, torch.ones_like(score), value
                continue
            new_top = torch.maximum(top, score)
            old, new = (top - new_top).exp(), (score - new_top).exp()
            top, total, out = new_top, total * old + new, out * old + value * new
        return out / total


def cached_attention_step(q, k, v, cache):
    keys = k if cache is None else torch.hstack([cache[0], k])
    values = v if cache is None else torch.hstack([cache[1], v])
    assert keys.shape == values.shape and q.shape[1] == 1
    step = _KVStep(q.shape[-1])
    return step(q, zip(keys.split(1, dim=1), values.split(1, dim=1), strict=True)), (keys, values)
