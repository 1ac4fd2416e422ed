# named: mask-in-numpy
# NumPy array
def causal_mask(n):
    import numpy as np

    return np.tril(np.ones((n, n))).astype(bool)
