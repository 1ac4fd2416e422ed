# named: nothing
import numpy as np


def softmax_examples():
    return [
        (np.zeros(2), lambda result: np.isclose(result, 0.5)),
        (np.zeros((2, 4)), lambda result: np.isclose(result, 0.25)),
        (np.array([1000.0, 0.0]), lambda result: np.isclose(result, [1, 0])),
    ]
