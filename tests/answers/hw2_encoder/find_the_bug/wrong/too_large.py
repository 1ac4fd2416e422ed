# named: nothing
import numpy as np


def find_the_bug():
    return "s1", (np.full((500, 2), 1e6), np.ones((3, 2)), np.ones((3, 1))), "One maximum for all."
