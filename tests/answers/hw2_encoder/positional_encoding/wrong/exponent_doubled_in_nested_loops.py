# named: positions-exponent-doubled
# the exponent is doubled: i already steps by two, yet 2 * i / d_model (style: nested loops with
# math)
def positional_encoding(seq_len, d_model):
    rows = []
    for pos in range(seq_len):
        row = []
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row[:d_model])
    return torch.tensor(rows)
