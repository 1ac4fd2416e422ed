# named: mask-not-itself
def causal_mask(n):
    mask = torch.zeros(n, n).bool()
    for i in range(n):
        for j in range(i):
            mask[i, j] = True
    return mask
