# torch.where with booleans
def causal_mask(n):
    i = torch.arange(n)
    return torch.where(i[:, None] < i, False, True)
