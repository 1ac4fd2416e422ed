def causal_mask(n: int):
    m = torch.eye(n)
    return torch.cumsum(m, dim=0).gt(0.5)
