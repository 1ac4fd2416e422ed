# named: positions-batch-axis, relation-dtype
# float64 and (1, seq, d)
def positional_encoding(seq_len, d_model):
    table = np.zeros((1, seq_len, d_model))
    for pos in range(seq_len):
        for col in range(0, d_model, 2):
            angle = pos / 10000 ** (col / d_model)
            table[0, pos, col] = np.sin(angle)
            if col + 1 < d_model:
                table[0, pos, col + 1] = np.cos(angle)
    return torch.from_numpy(table)
