# quotient of positions
def causal_mask(n):
    p = torch.arange(1, n + 1)
    return torch.div(p.unsqueeze(0), p.unsqueeze(1)) <= 1.0
