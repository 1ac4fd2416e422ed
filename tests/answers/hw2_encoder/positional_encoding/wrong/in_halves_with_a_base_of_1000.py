# named: positions-base-1000, positions-in-halves
# two mistakes: sines in the first half and cosines in the second; base 1000
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len).float().unsqueeze(1)
    i = torch.arange(0, d_model, 2).float()
    angles = position / 1000 ** (i / d_model)
    return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model]
