# named: mask-mirrored
# mirrored left-right: row 0 sees the last token only
def causal_mask(n):
    m = torch.ones(n, n).triu().flip(0)
    return m.bool()
