def positional_encoding(seq_len, d_model):
    rows = []
    for pos in range(seq_len):
        row = []
        for column in range(d_model):
            pair, odd = divmod(column, 2)
            row.append((math.sin, math.cos)[odd](pos / math.pow(10_000, 2 * pair / d_model)))
        rows.append(row)
    return torch.tensor(rows)
