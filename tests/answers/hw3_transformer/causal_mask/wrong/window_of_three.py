# named: mask-band
def causal_mask(n):
    i = torch.arange(n)
    distance = i[:, None] - i[None, :]
    return (distance >= 0) & (distance < 4)
