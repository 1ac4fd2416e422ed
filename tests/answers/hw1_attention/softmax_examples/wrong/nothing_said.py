# named: nothing
import numpy as np


def softmax_examples():
    def holds(result):
        np.allclose(result.sum(-1), 1)

    return [(np.zeros(2), holds), (np.zeros((2, 4)), holds), (np.array([1000.0, 0.0]), holds)]
