# named: mask-band
def causal_mask(n):
    gap = torch.arange(n)[:, None] - torch.arange(n)
    return (gap == 0) | (gap == 1)
