def causal_mask(n):
    return torch.tensor([[True] * (i + 1) + [False] * (n - i - 1) for i in range(n)])
