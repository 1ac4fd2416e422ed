# named: nothing
import numpy as np


def find_the_bug():
    return "s1", (np.full((1, 2), np.nan), np.ones((3, 2)), np.ones((3, 1))), "It returns nan."
