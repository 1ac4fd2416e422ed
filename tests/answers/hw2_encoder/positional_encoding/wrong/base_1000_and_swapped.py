# named: positions-base-1000, positions-sine-and-cosine-swapped
# base 1000 in place of 10000, and sine and cosine swapped
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    position = torch.arange(seq_len).unsqueeze(1)
    div_term = 1000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2] = torch.cos(position / div_term)
    pe[:, 1::2] = torch.sin(position / div_term)[:, : d_model // 2]
    return pe
