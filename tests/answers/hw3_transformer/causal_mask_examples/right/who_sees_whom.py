from itertools import product


def causal_mask_examples():
    def holds_for(n):
        def holds(mask):
            pairs = product(range(n), repeat=2)
            return str(mask.dtype) == "torch.bool" and all(
                bool(mask[i, j]) is (j <= i) for i, j in pairs
            )

        return n, holds

    one, many = holds_for(1), holds_for(12)
    return [one, many, (2, lambda mask: mask.numel() == 4 and not mask[0][1])]
