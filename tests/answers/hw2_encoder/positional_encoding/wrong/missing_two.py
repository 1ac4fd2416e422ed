# named: positions-exponent-halved
# i counts pairs, the 2 is missing in the exponent
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    pos = torch.arange(seq_len, dtype=torch.float32)
    for i in range((d_model + 1) // 2):
        freq = 10000 ** (-i / d_model)
        pe[:, 2 * i] = torch.sin(pos * freq)
        if 2 * i + 1 < d_model:
            pe[:, 2 * i + 1] = torch.cos(pos * freq)
    return pe
