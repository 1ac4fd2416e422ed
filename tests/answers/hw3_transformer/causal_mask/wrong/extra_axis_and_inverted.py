# named: mask-true-means-hidden, mask-extra-axis
# shape (1, n, n), and True = hidden
def causal_mask(n):
    return torch.triu(torch.ones(1, n, n), diagonal=1).bool()
