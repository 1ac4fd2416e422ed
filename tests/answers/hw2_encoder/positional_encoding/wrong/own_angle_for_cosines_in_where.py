# named: positions-cosine-has-its-own-angle
# the cosine has an angle of its own: exponent (2i+1)/d_model; NumPy, with harmless where and
# broadcasting
def positional_encoding(seq_len, d_model):
    pos = np.arange(seq_len)[:, np.newaxis]
    column = np.arange(d_model)[np.newaxis, :]
    angles = pos / np.power(10000, column / np.float32(d_model))
    even = column % 2 == 0
    return torch.from_numpy(np.where(even, np.sin(angles), np.cos(angles))).float()
