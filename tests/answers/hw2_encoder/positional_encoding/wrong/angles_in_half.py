# named: positions-angles-in-half-precision
# angles are computed in half precision (float16), so rows of far positions are visibly wrong
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float16)[:, None]
    i = torch.arange(0, d_model, 2, dtype=torch.float32)
    rate = (1 / 10000 ** (i / d_model)).half()
    angle = (pos * rate).float()
    pe = torch.zeros(seq_len, d_model, dtype=torch.float32)
    pe[:, 0::2] = angle.sin()
    pe[:, 1::2] = angle.cos()[:, : d_model // 2]
    return pe
