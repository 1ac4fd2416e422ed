# named: positions-multiplied, positions-multiplied-by-an-exponential, positions-divided-by-a-negative-power
def positional_encoding(seq_len, d_model):
    table = torch.zeros(seq_len, d_model)
    for pos in range(seq_len):
        for i in range(0, d_model, 2):
            angle = pos * 10000 ** (i / d_model)
            table[pos, i] = math.sin(angle)
            if i + 1 < d_model:
                table[pos, i + 1] = math.cos(angle)
    return table
