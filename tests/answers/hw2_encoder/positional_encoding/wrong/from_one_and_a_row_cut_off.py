# named: positions-from-one
# positions count from 1, with an extra row that is cut off again
def positional_encoding(seq_len, d_model):
    position = torch.linspace(1, seq_len + 1, seq_len + 1)[:, None]
    div = torch.pow(10000.0, torch.arange(0, d_model, 2) / d_model)
    out = torch.stack([torch.sin(position / div), torch.cos(position / div)], dim=-1).flatten(1)
    return out[:seq_len, :d_model]
