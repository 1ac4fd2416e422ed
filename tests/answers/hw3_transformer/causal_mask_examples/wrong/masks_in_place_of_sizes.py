# named: nothing
import torch


def causal_mask_examples():
    return [(torch.ones(n, n), lambda mask: mask.shape == (n, n)) for n in (2, 3, 4)]
