import torch


def causal_mask_examples():
    three = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]], dtype=torch.bool)

    def is_three(mask):
        return mask.dtype == torch.bool and mask.shape == (3, 3) and torch.equal(mask, three)

    return [
        (1, lambda mask: mask.tolist() == [[True]]),
        (3, is_three),
        (6, lambda mask: torch.sum(mask) == 21),
    ]
