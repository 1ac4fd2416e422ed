# named: nothing
def causal_mask_examples():
    return [(n, lambda mask: mask.all() == (len(mask) < 2)) for n in (0, 1, 2)]
