# named: mask-to-be-added
# 0 and -inf floats
def causal_mask(n):
    mask = torch.triu(torch.ones(n, n), diagonal=1)
    return mask.masked_fill(mask == 1, float("-inf"))
