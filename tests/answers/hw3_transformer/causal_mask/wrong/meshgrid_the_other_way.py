# named: mask-looks-ahead
# rows and columns swapped (upper triangle with diagonal), by meshgrid
def causal_mask(n):
    i, j = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="xy")
    return i >= j
