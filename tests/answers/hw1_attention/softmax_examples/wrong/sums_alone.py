# named: nothing
# Every example says the same of another input: the shares sum to 1.
import numpy as np


def softmax_examples():
    def sums_to_one(result):
        return np.allclose(result.sum(axis=-1), 1)

    return [
        (np.array(scores), sums_to_one)
        for scores in ([1.0, 2.0], [[0.0, 1.0], [2.0, 3.0]], [5.0, 5.0])
    ]
