# named: mask-itself-at-the-beginning-alone
# diagonal hidden, but for token 0 (harmless line so that no row is empty)
def causal_mask(n):
    idx = torch.arange(n)
    mask = idx[None, :] < idx[:, None]
    mask[0, 0] = True
    return mask
