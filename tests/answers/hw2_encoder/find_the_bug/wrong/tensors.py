# named: nothing
import torch


def find_the_bug():
    return (
        "s10",
        (torch.ones(1, 2), torch.arange(6.0).reshape(3, 2), torch.eye(3)),
        "It takes the number of keys.",
    )
