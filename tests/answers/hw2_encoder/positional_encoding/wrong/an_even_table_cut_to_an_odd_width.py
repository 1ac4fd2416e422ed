# named: positions-odd-width-rounded-up
# the table is made for an even d_model one larger, so with an odd d_model the exponents are
# divided by d_model + 1
def positional_encoding(seq_len, d_model):
    width = d_model
    if width % 2 == 1:
        width += 1
    pe = torch.zeros(seq_len, width)
    position = torch.arange(0, seq_len, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe[:, :d_model]
