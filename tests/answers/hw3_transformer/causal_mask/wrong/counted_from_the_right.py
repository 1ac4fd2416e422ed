# named: mask-mirrored
def causal_mask(n):
    return torch.tril(torch.ones(n, n)).flip(1).bool()
