def causal_mask(n):
    return torch.eye(n).flip(0).flip(1).cumsum(0).gt(0.5)
