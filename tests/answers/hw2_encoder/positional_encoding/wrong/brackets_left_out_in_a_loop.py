# named: positions-divided-by-d-model-instead-of-the-exponent
def positional_encoding(seq_len, d_model):
    table = torch.zeros(seq_len, d_model)
    for pos in range(seq_len):
        for i in range(0, d_model, 2):
            table[pos, i] = math.sin(pos / 10000**i / d_model)
            if i + 1 < d_model:
                table[pos, i + 1] = math.cos(pos / 10000**i / d_model)
    return table
