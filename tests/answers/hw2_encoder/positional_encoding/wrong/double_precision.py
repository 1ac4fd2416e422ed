# named: relation-dtype, positions-in-double-precision
# a table made in NumPy stays float64
def positional_encoding(seq_len, d_model):
    pos = np.arange(seq_len)[:, None]
    col = np.arange(d_model)[None, :]
    angle = pos / np.power(10000, (2 * (col // 2)) / d_model)
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return torch.from_numpy(angle)
