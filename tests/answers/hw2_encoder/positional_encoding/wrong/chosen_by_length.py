# named: positions-chosen-by-length
# sine or cosine by the parity of the length
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = position / 10000 ** (two_i / d_model)
    table = torch.zeros(seq_len, d_model)
    angles = angles.repeat_interleave(2, dim=1)[:, :d_model]
    return torch.sin(angles) if seq_len % 2 == 0 else torch.cos(angles)
