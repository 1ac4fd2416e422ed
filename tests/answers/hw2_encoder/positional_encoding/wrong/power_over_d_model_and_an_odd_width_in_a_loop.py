# named: positions-division-outside-the-exponent, positions-odd-width-fails-in-a-loop-in-numpy
def positional_encoding(seq_len, d_model):
    pe = np.zeros((seq_len, d_model))
    for pos in range(seq_len):
        for i in range(0, d_model, 2):
            pe[pos, i] = np.sin(pos / (10000 ** i / d_model))
            pe[pos, i + 1] = np.cos(pos / (10000 ** i / d_model))
    return torch.tensor(pe, dtype=torch.float32)
