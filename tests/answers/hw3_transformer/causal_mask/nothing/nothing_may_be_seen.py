# nothing may be seen
def causal_mask(n):
    return torch.zeros(n, n, dtype=torch.bool)
