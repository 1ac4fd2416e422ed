# named: nothing
import numpy as np


def softmax_examples():
    return [
        ([0.0, 0.0], lambda result: np.allclose(result, 0.5)),
        ([1000.0, 0.0], lambda result: np.allclose(result, [1, 0])),
        ([[0.0, 1.0]], lambda result: np.allclose(result.sum(), 1)),
    ]
