# named: positions-exponent-doubled, positions-odd-width-fails
# exponent doubled, and odd d_model breaks
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    pos = torch.arange(seq_len).unsqueeze(1).float()
    i = torch.arange(0, d_model, 2).float()
    pe[:, 0::2] = torch.sin(pos / 10000 ** (2 * i / d_model))
    pe[:, 1::2] = torch.cos(pos / 10000 ** (2 * i / d_model))
    return pe
