# named: mask-extra-axis
def causal_mask(n):
    attn_shape = (1, n, n)
    subsequent_mask = torch.triu(torch.ones(attn_shape), diagonal=1).type(torch.uint8)
    return subsequent_mask == 0
