# named: nothing
import numpy as np


def softmax_examples():
    return [
        (np.array([0.1, 0.2, 0.3, 0.4, 0.5]), lambda result: result.sum() == 1),
        (np.array([1000.0, 0.0]), lambda result: np.array_equal(result, [1, 0])),
        (
            np.array([0.3, 0.7, 1.1]),
            lambda result: (
                result == np.exp([0.3, 0.7, 1.1]) / np.exp([0.3, 0.7, 1.1]).sum()
            ).all(),
        ),
    ]
