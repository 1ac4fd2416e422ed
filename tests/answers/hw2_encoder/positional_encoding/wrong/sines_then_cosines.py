# named: positions-in-halves
# concatenated halves; even d_model only
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float32)[:, None]
    rates = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.cat([torch.sin(pos * rates), torch.cos(pos * rates)], dim=-1)[:, :d_model]
