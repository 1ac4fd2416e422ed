# named: mask-not-itself
def causal_mask(n):
    return torch.tril(torch.ones(n, n), diagonal=-1).bool()
