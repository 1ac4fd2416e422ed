# each token sees itself alone
def causal_mask(n):
    return torch.eye(n, dtype=torch.bool)
