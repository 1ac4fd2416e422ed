# a view of one strip, by strides
from functools import lru_cache


@lru_cache(maxsize=None)
def _strip(n):
    return torch.arange(2 * n - 1) < n


def causal_mask(n: int) -> torch.Tensor:
    """A window of n entries slides over n times True and n - 1 times False (a Toeplitz matrix)."""
    return _strip(n).unfold(0, n, 1).flip(0)
