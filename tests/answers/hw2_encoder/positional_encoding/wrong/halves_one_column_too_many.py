# named: positions-in-halves, positions-odd-width-one-too-many
# sines and cosines side by side, whole pairs
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float).unsqueeze(1)
    freqs = 1.0 / 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    return torch.cat([torch.sin(pos * freqs), torch.cos(pos * freqs)], dim=-1)
