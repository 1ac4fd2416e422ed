# named: mask-upside-down
# the triangle upside down: the first row sees all
def causal_mask(n):
    return torch.stack([torch.arange(n) < n - i for i in range(n)])
