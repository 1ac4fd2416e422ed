import numpy as np
import torch


class Found(tuple):
    pass


STUDENT = "s1"


def find_the_bug():
    scores = torch.tensor([[900.0], [-900.0]])
    return Found(
        (
            STUDENT,
            (scores.numpy(), np.ones((2, 1)), np.array([[3.0, 1.0], [5.0, 1.0]])),
            """
        One maximum is taken of the whole matrix, so exp gives 0 in a row that lies far below, and 0 / 0 is nan.
    """,
        )
    )
