# named: mask-last-row-empty
# range(n - 1)
def causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n - 1):
        mask[i, : i + 1] = True
    return mask
