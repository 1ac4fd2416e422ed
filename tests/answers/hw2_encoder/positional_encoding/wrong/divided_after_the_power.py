# named: positions-division-outside-the-exponent
# 10000 ** (2i) / d_model: brackets in the wrong place
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    position = torch.arange(seq_len, dtype=torch.float).unsqueeze(1)
    div_term = 1 / (10000.0 ** torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
    return pe
