# named: mask-one-axis
# one axis only: compares arange with itself without unsqueeze
def causal_mask(n):
    i = torch.arange(n)
    j = torch.arange(n)
    return j <= i
