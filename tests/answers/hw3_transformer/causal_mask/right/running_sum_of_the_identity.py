def causal_mask(n):
    return torch.eye(n).cumsum(dim=0).T.flip(0).flip(1).bool()
