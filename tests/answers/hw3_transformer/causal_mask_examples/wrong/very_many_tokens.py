# named: nothing
def causal_mask_examples():
    return [(n, lambda mask: mask[0, 0] and not mask[0, 1]) for n in (10, 100, 100_000)]
