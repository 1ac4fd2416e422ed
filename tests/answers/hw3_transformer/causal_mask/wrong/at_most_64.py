# named: mask-of-another-size
# Cut from a table of 64 rows
def causal_mask(n):
    table = torch.tril(torch.ones(64, 64)).bool()
    return table[:n, :n]
