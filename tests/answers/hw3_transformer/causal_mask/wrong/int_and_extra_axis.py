# named: mask-extra-axis, mask-whole-numbers
def causal_mask(n):
    return torch.tril(torch.ones((1, n, n))).type(torch.uint8)
