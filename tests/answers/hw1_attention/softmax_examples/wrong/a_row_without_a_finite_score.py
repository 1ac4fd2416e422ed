# named: nothing
import numpy as np


def softmax_examples():
    nothing = np.array([[-np.inf, -np.inf], [0.0, 0.0]])
    return [
        (nothing, lambda result: np.isnan(result[0]).all()),
        (np.zeros(2), lambda result: np.allclose(result, 0.5)),
        (np.array([1000.0, 0.0]), lambda result: np.allclose(result, [1, 0])),
    ]
