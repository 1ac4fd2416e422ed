# A table that grows with the largest call so far
_table = torch.ones(1, 1, dtype=torch.bool)


def causal_mask(n):
    global _table
    if n > len(_table):
        _table = torch.ones(n, n, dtype=torch.bool).tril()
    return _table[:n, :n].clone()
