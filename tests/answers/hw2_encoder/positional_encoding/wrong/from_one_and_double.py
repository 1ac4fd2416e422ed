# named: positions-from-one, positions-in-double-precision
# counts from 1, and float64 as NumPy makes it
def positional_encoding(seq_len, d_model):
    table = np.zeros((seq_len, d_model))
    for pos in range(seq_len):
        for i in range(0, d_model, 2):
            angle = (pos + 1) / 10000 ** (i / d_model)
            table[pos, i] = np.sin(angle)
            if i + 1 < d_model:
                table[pos, i + 1] = np.cos(angle)
    return torch.from_numpy(table)
