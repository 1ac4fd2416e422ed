# named: softmax-whole-array
# SciPy's softmax without an axis takes the whole array
from scipy.special import softmax as scipy_softmax


def softmax(x):
    return scipy_softmax(x)
