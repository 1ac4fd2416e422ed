import numpy as np
from numpy.testing import assert_allclose


def softmax_examples():
    def checked(scores, tolerance=1e-5):
        def holds(result):
            total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
            assert_allclose(result, np.exp(scores - total), atol=tolerance)
            return True

        return (scores, holds)

    deep = np.arange(24.0).reshape(2, 3, 2, 2) % 7
    levels = np.array([[3000.0, 1.0, -3000.0], [-3000.0, -3001.0, -np.inf]])
    return [
        checked(deep),
        checked(levels),
        (
            np.log(np.array([1.0, 3.0])),
            lambda result: (abs(result - np.array([0.25, 0.75])) < 1e-6).all(),
        ),
    ]
