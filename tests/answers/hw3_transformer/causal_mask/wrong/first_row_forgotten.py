# named: mask-first-row-empty
def causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(1, n):
        mask[i, : i + 1] = True
    return mask
