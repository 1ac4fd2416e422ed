def causal_mask(n):
    return torch.eye(n, dtype=torch.long).cumsum(dim=0).bool()
