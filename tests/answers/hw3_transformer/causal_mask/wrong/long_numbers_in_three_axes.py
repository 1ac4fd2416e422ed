# named: mask-whole-numbers, mask-extra-axis
# extra axis and integers in place of booleans
def causal_mask(n):
    return torch.tril(torch.ones((1, n, n), dtype=torch.long))
