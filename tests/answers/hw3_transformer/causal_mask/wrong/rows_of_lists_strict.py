# named: mask-not-itself
# odd style (lists); the diagonal is missing: a token doesn't see itself
def causal_mask(n):
    rows = []
    for i in range(n):
        rows.append([True] * i + [False] * (n - i))
    return torch.tensor(rows)
