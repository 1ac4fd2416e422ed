# named: mask-whole-numbers, relation-dtype
# uint8, as old code has it
def causal_mask(n):
    return torch.tril(torch.ones(n, n)).to(torch.uint8)
