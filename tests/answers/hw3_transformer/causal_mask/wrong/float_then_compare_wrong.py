# named: mask-looks-ahead
def causal_mask(n):
    rows = torch.arange(n).view(-1, 1)
    cols = torch.arange(n).view(1, -1)
    return (rows - cols).float().sign() <= 0
