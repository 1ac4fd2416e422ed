# named: mask-itself-at-the-beginning-alone
# strictly lower, with [0, 0] set to True so that no row is empty
def causal_mask(n):
    pos = torch.arange(n)
    mask = pos[:, None] > pos[None, :]
    mask[0, 0] = True  # otherwise softmax over an empty row is nan
    return mask
