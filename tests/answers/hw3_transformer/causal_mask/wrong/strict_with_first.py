# named: mask-itself-at-the-beginning-alone
def causal_mask(n):
    mask = torch.tril(torch.ones(n, n), diagonal=-1).bool()
    mask[0, 0] = True
    return mask
