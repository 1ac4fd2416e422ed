import numpy as np


def find_the_bug():
    keys = np.arange(10).reshape(2, 5)  # d_k = 5 is no square
    queries = np.eye(1, 5, 2, dtype=int)
    return ["  S4 ", [queries, keys, np.identity(2, dtype=np.int64)], "It cuts √5 off to 2."]
