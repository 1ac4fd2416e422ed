# named: mask-of-another-size
# A row and a column for bos, too
def causal_mask(n):
    return torch.tril(torch.ones(n + 1, n + 1)).bool()
