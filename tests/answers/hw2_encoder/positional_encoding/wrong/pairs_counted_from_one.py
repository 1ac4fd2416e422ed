# named: positions-pairs-counted-from-one
# i begins at 1
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    position = torch.arange(0, seq_len, dtype=torch.float).unsqueeze(1)
    i = torch.arange(1, (d_model + 1) // 2 + 1)
    ang = position / 10000 ** (2 * i / d_model)
    pe[:, 0::2] = torch.sin(ang)
    pe[:, 1::2] = torch.cos(ang)[:, : d_model // 2]
    return pe
