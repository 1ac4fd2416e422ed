# named: mask-extra-axis
# Two axes in front, as in the annotated code
def causal_mask(n):
    return torch.tril(torch.ones(1, 1, n, n)).bool()
