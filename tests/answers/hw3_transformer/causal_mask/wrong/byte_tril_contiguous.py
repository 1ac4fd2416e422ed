# named: mask-whole-numbers
# harmless .contiguous(); uint8 in place of bool
def causal_mask(n):
    size = int(n)
    lower = torch.ones(size, size, dtype=torch.uint8).tril(diagonal=0)
    return lower.contiguous()
