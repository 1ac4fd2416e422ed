# named: crash-misspelt
import numpy as np


def softmax_examples():
    return [(np.arange(n + 1.0), lambda result: np.allclose(results.sum(), 1)) for n in range(3)]
