# One mask is kept for each n, and handed out again
_masks = {}


def causal_mask(n):
    if n not in _masks:
        _masks[n] = torch.ones(n, n, dtype=torch.bool).tril()
    return _masks[n]
