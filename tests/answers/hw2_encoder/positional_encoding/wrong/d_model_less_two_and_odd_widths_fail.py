# named: positions-exponent-over-d-model-less-two, positions-odd-width-fails-for-a-sine
# the exponent is i / (d_model / 2 - 1), so the last pair is slower than in the formula; and an
# odd d_model crashes
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    pos = torch.arange(seq_len, dtype=torch.float).unsqueeze(1)
    i = torch.arange(d_model // 2, dtype=torch.float)
    rates = 1 / 10000 ** (i / (d_model / 2 - 1 or 1))
    pe[:, 0::2] = torch.sin(pos * rates)
    pe[:, 1::2] = torch.cos(pos * rates)
    return pe
