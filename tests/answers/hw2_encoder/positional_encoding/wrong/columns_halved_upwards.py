# named: positions-cosine-has-the-next-angle
# i = ceil(column / 2)
def positional_encoding(seq_len, d_model):
    k = np.arange(d_model)[None, :]
    i = np.ceil(k / 2)
    angles = np.arange(seq_len)[:, None] / (10000 ** (2 * i / d_model))
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.tensor(table, dtype=torch.float32)
