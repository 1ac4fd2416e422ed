# Positions in float64
def causal_mask(n):
    place = torch.linspace(0, 1, n, dtype=torch.float64)
    return place.unsqueeze(-1) >= place
