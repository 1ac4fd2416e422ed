from torch.overrides import TorchFunctionMode


class LargestTensor(TorchFunctionMode):
    """While it is on, keep the number of entries of the largest tensor that PyTorch returns."""

    entries = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for each in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(each, torch.Tensor) and each.layout is torch.strided:
                # in memory: an axis that `expand` repeats, or over which `unfold` slides, is no copy
                reach = [(n - 1) * step for n, step in zip(each.shape, each.stride(), strict=True)]
                self.entries = max(self.entries, sum(reach) + 1 if each.numel() else 0)
        return result


def largest_tensor(function, *inputs):
    """Return how many entries the largest tensor has that a call makes."""
    with LargestTensor() as largest:
        function(*inputs)
    return largest.entries
