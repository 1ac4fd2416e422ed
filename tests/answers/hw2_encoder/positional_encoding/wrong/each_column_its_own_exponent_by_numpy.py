# named: positions-cosine-has-its-own-angle
# cosine columns have an exponent of their own (column/d), by NumPy with where on parity
def positional_encoding(seq_len, d_model):
    pos = np.arange(seq_len)[:, None]
    col = np.arange(d_model)[None]
    angle = pos * np.exp(-np.log(10000.0) * col / d_model)
    return torch.from_numpy(np.where(col % 2 == 0, np.sin(angle), np.cos(angle))).float()
