# named: mask-first-column-empty
def causal_mask(n):
    mask = torch.full((n, n), False)
    for row in range(n):
        for col in range(1, row + 1):
            mask[row, col] = True
        mask[0, 0] = True
    return mask
