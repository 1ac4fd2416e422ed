# named: mask-true-means-hidden
def causal_mask(n):
    mask = torch.zeros(n, n)
    for i in range(n):
        for j in range(i + 1, n):
            mask[i, j] = float("-inf")
    return torch.isinf(mask)
