# hands over to SciPy, with the axis
from scipy.special import softmax as scipy_softmax


def softmax(x):
    return scipy_softmax(x, axis=-1)
