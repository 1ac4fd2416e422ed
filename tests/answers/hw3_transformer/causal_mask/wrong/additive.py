# named: mask-to-be-added
def causal_mask(n):
    attn_shape = (n, n)
    return torch.triu(torch.full(attn_shape, float("-inf")), diagonal=1)
