# named: nothing
import torch


def causal_mask_examples():
    return [
        (2, lambda mask: torch.equal(mask, torch.tensor([[False, True], [False, False]]))),
        (1, lambda mask: not mask.any()),
        (3, lambda mask: mask.sum() == 3),
    ]
