# named: positions-cut-off-to-integers
# writes into a table of integers
def positional_encoding(seq_len, d_model):
    pe = torch.arange(seq_len)[:, None].repeat(1, d_model)
    for c in range(d_model):
        angle = torch.arange(seq_len) / 10000 ** ((c - c % 2) / d_model)
        pe[:, c] = angle.cos() if c % 2 else angle.sin()
    return pe.float()
