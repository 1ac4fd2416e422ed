from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode


def multiplications(function, *inputs):
    """Return how many multiplications matrix products take in a call, as PyTorch counts them."""
    # attention in its plain form: of the fused one, PyTorch counts nothing on some machines
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        function(*inputs)
    return counter.get_total_flops() // 2  # each goes with an addition


def in_millions(number):
    """Write a large number in words."""
    for size, name in ((10**9, "billion"), (10**6, "million")):
        if number >= size:
            return f"{number / size:.3g} {name}"
    return f"{number:,}"
