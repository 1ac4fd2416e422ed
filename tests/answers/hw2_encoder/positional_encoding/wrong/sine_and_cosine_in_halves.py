# named: positions-in-halves
# all sines first, then all cosines
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = position / 10000 ** (two_i / d_model)
    return torch.cat([torch.sin(angles), torch.cos(angles)[:, : d_model // 2]], dim=1)
