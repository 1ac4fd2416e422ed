import numpy as np


def causal_mask(n):
    return torch.from_numpy(np.tri(n, dtype=bool))
