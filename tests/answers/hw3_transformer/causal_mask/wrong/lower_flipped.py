# named: mask-upside-down
def causal_mask(n):
    m = torch.ones(n, n, dtype=torch.bool)
    return torch.flip(torch.tril(m), dims=[0])
