# named: nothing
import numpy as np


def softmax_examples():
    return [
        (np.array([1.0, 3.0]), lambda result: np.allclose(result, [0.25, 0.75])),
        (np.array([2.0, 2.0]), lambda result: np.allclose(result, [0.5, 0.5])),
        (np.array([[0.0, 1.0]]), lambda result: result[0, 0] < result[0, 1]),
    ]
