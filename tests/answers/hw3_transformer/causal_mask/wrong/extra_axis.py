# named: mask-extra-axis
def causal_mask(n):
    return torch.tril(torch.ones(n, n)).bool().unsqueeze(0)
