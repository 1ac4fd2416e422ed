# named: positions-cosine-of-the-sine
# angles are overwritten first
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float).unsqueeze(1)
    ang = pos / 10000 ** (torch.arange(0, d_model, 2).repeat_interleave(2)[:d_model] / d_model)
    ang[:, 0::2] = torch.sin(ang[:, 0::2])
    ang[:, 1::2] = torch.cos(ang[:, 0::2])[:, : d_model // 2]
    return ang
