# named: positions-relative-to-length
# positions from 0 to 1
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    position = torch.arange(0, seq_len, dtype=torch.float).unsqueeze(1) / seq_len
    i = torch.arange(0, d_model, 2)
    ang = position / 10000 ** (i / d_model)
    pe[:, 0::2] = torch.sin(ang)
    pe[:, 1::2] = torch.cos(ang)[:, : d_model // 2]
    return pe
