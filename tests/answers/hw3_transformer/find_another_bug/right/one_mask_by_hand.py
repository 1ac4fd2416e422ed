import torch


def find_another_bug():
    """s0's bug hides keys after the softmax, so the rest no longer sums to 1."""
    two = torch.tensor([[[1, 0], [0, 1]]])  # whole numbers
    return ["S0", [1, two, two, two, torch.eye(2).bool()], "The mask comes after the softmax."]
