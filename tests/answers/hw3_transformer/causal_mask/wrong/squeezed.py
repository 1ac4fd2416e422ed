# named: mask-squeezed
def causal_mask(n):
    return torch.tril(torch.ones(1, n, n)).bool().squeeze()
