# named: positions-sine-and-cosine-swapped, positions-odd-width-refused
# two mistakes: cosine on the even columns and sine on the odd ones, and an odd d_model raises
# an error
def positional_encoding(seq_len, d_model):
    pos = np.arange(seq_len)[:, np.newaxis]
    rates = 1 / np.power(10000, np.arange(0, d_model, 2) / np.float32(d_model))
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.cos(pos * rates)
    table[:, 1::2] = np.sin(pos * rates)
    return torch.from_numpy(table)
