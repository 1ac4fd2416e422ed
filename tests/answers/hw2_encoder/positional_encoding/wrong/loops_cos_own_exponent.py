# named: positions-cosine-has-its-own-angle
# loops over every column, each with its own exponent
def positional_encoding(seq_len, d_model):
    table = torch.zeros((seq_len, d_model))
    for pos in range(seq_len):
        for col in range(d_model):
            theta = pos / 10000 ** (col / d_model)
            table[pos][col] = math.sin(theta) if col % 2 == 0 else math.cos(theta)
    return table
