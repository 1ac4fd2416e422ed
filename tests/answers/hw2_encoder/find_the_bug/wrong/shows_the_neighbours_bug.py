# named: nothing
# s4's bug shows where d_k is no square; this is s10's, which wants another number of keys.
import numpy as np


def find_the_bug():
    return (
        "s10",
        (np.ones((1, 5)), np.arange(25.0).reshape(5, 5), np.eye(5)),
        "The root is cut off.",
    )
