# named: nothing
import numpy as np


def softmax_examples():
    return [(np.arange(n + 1.0), lambda result: False) for n in range(3)]
