# named: nothing
import numpy as np


def find_the_bug():
    return (
        " ",
        (np.ones((1, 2)), np.arange(6.0).reshape(3, 2), np.eye(3)),
        "It takes the number of keys.",
    )
