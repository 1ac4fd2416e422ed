# named: positions-always-512-rows
# seq_len is not used
MAX_LEN = 512


def positional_encoding(seq_len, d_model):
    pe = torch.zeros(MAX_LEN, d_model)
    for pos in range(MAX_LEN):
        for i in range(0, d_model, 2):
            pe[pos, i] = math.sin(pos / 10000 ** (i / d_model))
            if i + 1 < d_model:
                pe[pos, i + 1] = math.cos(pos / 10000 ** (i / d_model))
    return pe
