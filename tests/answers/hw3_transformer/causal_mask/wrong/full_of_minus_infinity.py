# named: mask-to-be-added
# an additive float mask, -inf where hidden
def causal_mask(n):
    mask = torch.full((n, n), float("-inf"))
    return torch.triu(mask, diagonal=1)
