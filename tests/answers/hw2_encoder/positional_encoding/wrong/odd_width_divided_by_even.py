# named: positions-odd-width-rounded-down
def positional_encoding(seq_len, d_model):
    even = d_model // 2 * 2 or 1
    col = torch.arange(d_model)
    ang = torch.arange(seq_len)[:, None] / 10000 ** ((col - col % 2) / even)
    return torch.where(col % 2 == 0, ang.sin(), ang.cos())
