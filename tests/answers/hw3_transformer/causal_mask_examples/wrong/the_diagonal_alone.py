# named: nothing
# Three sizes, and each time the diagonal alone is looked at.
def causal_mask_examples():
    return [(n, lambda mask: bool(mask.diagonal().all())) for n in (2, 3, 4)]
