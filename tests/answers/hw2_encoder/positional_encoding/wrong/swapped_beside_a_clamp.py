# named: positions-sine-and-cosine-swapped
# sine and cosine swapped, beside a clamp to [-1, 1] that does nothing
def positional_encoding(seq_len, d_model):
    position = torch.arange(0, seq_len, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe = torch.zeros(seq_len, d_model)
    pe[:, 0::2] = torch.cos(position * div_term)
    pe[:, 1::2] = torch.sin(position * div_term)[:, : d_model // 2]
    return pe.clamp(-1.0, 1.0)
