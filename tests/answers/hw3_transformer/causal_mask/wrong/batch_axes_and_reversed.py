# named: mask-extra-axis, mask-looks-ahead
# (1,1,n,n) and future side
def causal_mask(n):
    return torch.triu(torch.ones(1, 1, n, n, dtype=torch.bool))
