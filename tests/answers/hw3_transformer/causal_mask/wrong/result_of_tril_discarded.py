# named: mask-hides-nothing
# tril isn't in place
def causal_mask(n):
    mask = torch.ones(n, n, dtype=torch.bool)
    torch.tril(mask)
    return mask
