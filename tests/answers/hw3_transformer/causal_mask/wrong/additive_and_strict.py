# named: mask-not-itself, mask-to-be-added-as-a-large-number
# a float mask to be added (-1e9), and the diagonal is hidden too
def causal_mask(n):
    blocked = torch.full((n, n), -1e9)
    return torch.triu(blocked, diagonal=0)
