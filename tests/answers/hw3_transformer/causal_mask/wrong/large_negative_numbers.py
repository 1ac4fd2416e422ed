# named: mask-to-be-added-as-a-large-number
# To be added to scores
def causal_mask(n):
    return torch.triu(torch.ones(n, n) * -1e9, diagonal=1)
