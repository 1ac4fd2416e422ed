# named: positions-odd-width-rounded-up
# odd width rounded up for the exponent: pads d_model to even and divides by the padded width
def positional_encoding(seq_len, d_model):
    width = d_model + d_model % 2
    angle = torch.arange(seq_len)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack((angle.sin(), angle.cos()), -1).reshape(seq_len, width)[:, :d_model]
