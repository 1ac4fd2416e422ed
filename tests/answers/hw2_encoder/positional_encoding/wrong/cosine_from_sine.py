# named: positions-cosine-never-negative
# cosines are computed as sqrt(1 - sine**2), which is never negative: wrong wherever the cosine
# is (positions 2, 3, 4 and later ones; position 5 happens to be right)
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float32)[:, None]
    i = torch.arange(0, d_model, 2)
    table = torch.zeros(seq_len, d_model)
    s = torch.sin(pos / 10000 ** (i / d_model))
    table[:, 0::2] = s
    table[:, 1::2] = torch.sqrt(1 - s**2)[:, : d_model // 2]
    return table
