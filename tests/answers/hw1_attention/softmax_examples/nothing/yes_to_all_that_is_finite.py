import numpy as np


def softmax_examples():
    return [(np.arange(n + 2.0), lambda result: np.isfinite(result).all()) for n in range(3)]
