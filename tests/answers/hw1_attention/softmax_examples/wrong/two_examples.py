# named: nothing
import numpy as np


def softmax_examples():
    return [
        (np.zeros(2), lambda result: np.allclose(result, 0.5)),
        (np.array([1000.0, 0.0]), lambda result: np.allclose(result, [1, 0])),
    ]
