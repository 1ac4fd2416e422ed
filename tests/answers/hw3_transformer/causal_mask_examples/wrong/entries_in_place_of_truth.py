# named: nothing
def causal_mask_examples():
    return [(2, lambda mask: mask.tril()), (3, lambda mask: mask[0]), (4, lambda mask: mask.sum())]
