# named: nothing
import torch


def find_another_bug():
    x = torch.arange(12.0).reshape(1, 3, 4)
    return "s0", (2, x, x, x, torch.ones(2, 3).bool()), "The mask comes too late."
