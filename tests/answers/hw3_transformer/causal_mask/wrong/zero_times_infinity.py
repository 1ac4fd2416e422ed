# named: mask-to-be-added
# 0 · -inf is nan below the diagonal
def causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1) * float("-inf")
