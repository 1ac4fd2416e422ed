def causal_mask(n):
    return torch.tril(torch.ones(n, n))
