# named: mask-of-another-size
# the mask made first is kept and sliced: a longer one is never made
_mask = None


def causal_mask(n):
    global _mask
    if _mask is None:
        _mask = torch.ones(n, n).tril() > 0
    return _mask[:n, :n]
