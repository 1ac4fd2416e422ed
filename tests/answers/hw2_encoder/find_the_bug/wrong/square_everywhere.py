# named: nothing
# With as many keys as features, the bug does no harm.
import numpy as np


def find_the_bug():
    return (
        "s10",
        (np.eye(3), np.arange(9.0).reshape(3, 3), np.eye(3)),
        "It takes the wrong size of K.",
    )
