def causal_mask_examples():
    return [(n, lambda mask: True) for n in (2, 3, 4)]
