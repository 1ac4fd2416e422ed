# named: mask-true-means-hidden, mask-numbers
# Ones above the diagonal, as numbers: hidden, not seen
def causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1)
