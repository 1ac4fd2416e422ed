# named: mask-numbers, relation-dtype
def causal_mask(n):
    return torch.tril(torch.ones(n, n))
