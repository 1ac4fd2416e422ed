# named: crash-misspelt
# tirl
def causal_mask(n):
    return torch.tirl(torch.ones(n, n)).bool()
