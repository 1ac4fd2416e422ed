# named: mask-looks-ahead
def causal_mask(n):
    return torch.triu(torch.ones(n, n)).bool()
