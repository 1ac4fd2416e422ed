# named: mask-to-be-added
def causal_mask(n):
    return torch.triu(torch.full((n, n), float("-inf")), diagonal=1)
