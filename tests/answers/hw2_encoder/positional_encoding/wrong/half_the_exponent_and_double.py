# named: positions-exponent-halved, positions-in-double-precision
# half the exponent, and float64
def positional_encoding(seq_len, d_model):
    half = (d_model + 1) // 2
    div_term = torch.exp(torch.arange(half) * (-math.log(10000.0) / d_model))
    position = torch.arange(seq_len).unsqueeze(1)
    pe = torch.empty(seq_len, 2 * half, dtype=torch.float64)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(position * div_term), torch.cos(position * div_term)
    return pe[:, :d_model]
