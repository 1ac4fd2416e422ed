# named: positions-chosen-by-position
# sine or cosine by the parity of the position
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = position / 10000 ** (two_i / d_model)
    table = torch.zeros(seq_len, d_model)
    angles = angles.repeat_interleave(2, dim=1)[:, :d_model]
    table[0::2] = torch.sin(angles[0::2])
    table[1::2] = torch.cos(angles[1::2])
    return table
