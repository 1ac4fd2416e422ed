# named: mask-numbers
def causal_mask(n):
    size = (n, n)
    return torch.tril(torch.ones(size))
