# named: nothing
import numpy as np


def find_the_bug():
    return "s10", (np.ones((1, 2)), np.ones((3, 4)), np.ones((3, 1))), "It breaks off."
