import math

import torch


def furthest_apart(found, right):
    """Return the largest difference of two results, as a part of the right number where that is beyond 1.

    It is infinite where shapes differ, or something is nan.
    """
    found, right = torch.as_tensor(found), torch.as_tensor(right)
    if found.shape != right.shape or found.isnan().any():
        return math.inf
    return ((found - right).abs() / right.abs().clamp(min=1)).max().item()
