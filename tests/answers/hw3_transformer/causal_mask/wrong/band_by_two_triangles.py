# named: mask-band
# each token sees only itself and the one before it
def causal_mask(n):
    full = torch.ones(n, n, dtype=torch.bool)
    return full.tril() & full.triu(-1)
