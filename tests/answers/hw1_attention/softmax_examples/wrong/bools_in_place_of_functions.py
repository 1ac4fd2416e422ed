# named: nothing
import numpy as np


def softmax_examples():
    x = np.array([0.0, 0.0])
    return [(x, True), (x, np.allclose(x, 0)), (x, None)]
