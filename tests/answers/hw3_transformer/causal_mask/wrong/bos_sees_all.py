# named: mask-first-row-full
# the first token (bos) may see everything, the rest is right
def causal_mask(n):
    mask = torch.tril(torch.ones(n, n, dtype=torch.bool))
    mask[0] = True
    return mask
