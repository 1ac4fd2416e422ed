# named: mask-upside-down
# The last row sees itself alone
def causal_mask(n):
    return torch.tensor([[j < n - i for j in range(n)] for i in range(n)])
