def causal_mask(n):
    return torch.stack([torch.arange(n) < k for k in range(1, n + 1)])
