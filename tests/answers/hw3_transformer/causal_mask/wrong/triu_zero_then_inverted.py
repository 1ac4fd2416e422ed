# named: mask-not-itself
import numpy as np


def causal_mask(n):
    ahead = np.triu(np.ones((n, n)), k=0).astype("bool")
    return torch.from_numpy(~ahead)
