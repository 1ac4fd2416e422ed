# named: mask-true-means-hidden
# torch's convention (True = hidden), written with two loops
def causal_mask(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(j > i)
        rows.append(row)
    return torch.tensor(rows)
