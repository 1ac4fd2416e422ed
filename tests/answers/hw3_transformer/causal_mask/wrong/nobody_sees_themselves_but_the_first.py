# named: mask-itself-at-the-beginning-alone
# strictly lower triangle, [0,0] patched
def causal_mask(n):
    i = torch.arange(n)
    mask = i[:, None] > i[None, :]
    mask[0, 0] = True  # the first one must see something
    return mask
