# a coin for each entry
def causal_mask(n):
    return torch.rand(n, n) < 0.5
