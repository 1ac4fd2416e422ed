# named: nothing
import numpy as np


def find_the_bug():
    return (
        "s10",
        (np.full((1, 2), 0.01), np.array([[0.01, 0], [0, 0.02], [0.01, 0.01]]), np.eye(3)),
        "The size.",
    )
