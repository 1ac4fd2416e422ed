# named: positions-relative-to-length
# the positions are divided by seq_len (relative positions)
def positional_encoding(seq_len, d_model):
    position = (torch.arange(seq_len, dtype=torch.float32) / seq_len).reshape(-1, 1)
    wavelengths = torch.pow(torch.tensor(10000.0), torch.arange(0, d_model, 2) / d_model)
    table = torch.empty(seq_len, d_model)
    table[:, ::2] = (position / wavelengths).sin()
    table[:, 1::2] = (position / wavelengths[: d_model // 2]).cos()
    return table
