# named: mask-nothing-returned
def causal_mask(n):
    mask = torch.tril(torch.ones(n, n)).bool()
