# named: mask-sees-what-comes-later-alone
def causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=2).bool()
