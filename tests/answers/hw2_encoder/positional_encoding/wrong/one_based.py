# named: positions-from-one
# positions counted from 1, by list comprehensions
def positional_encoding(seq_len, d_model):
    rows = []
    for pos in range(1, seq_len + 1):
        rows.append(
            [
                math.sin(pos / 10000 ** (2 * (c // 2) / d_model))
                if c % 2 == 0
                else math.cos(pos / 10000 ** (2 * (c // 2) / d_model))
                for c in range(d_model)
            ]
        )
    return torch.tensor(rows)
