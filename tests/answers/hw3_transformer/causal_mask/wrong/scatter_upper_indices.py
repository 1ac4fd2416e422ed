# named: mask-looks-ahead
# odd style (index pairs); upper triangle: each sees itself and what comes later (transposed)
def causal_mask(n):
    m = torch.zeros(n * n, dtype=torch.bool)
    r, c = torch.triu_indices(n, n)
    m[r * n + c] = True
    return m.reshape(n, n)
