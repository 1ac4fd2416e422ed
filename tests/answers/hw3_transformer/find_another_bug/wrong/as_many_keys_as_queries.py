# named: nothing
import torch


def find_another_bug():
    x = torch.arange(12.0).reshape(1, 3, 4)
    return "s3", (2, x, x, x, None), "It leaves out keys."
