# named: nothing
from torch import nn


def find_another_bug():
    return nn.MultiheadAttention(4, 2)
