# named: nothing
# With one head, its weights are their own mean.
import torch


def find_another_bug():
    x = torch.arange(12.0).reshape(1, 3, 4)
    return "s13", (1, x, x, x, None), "The heads are averaged."
