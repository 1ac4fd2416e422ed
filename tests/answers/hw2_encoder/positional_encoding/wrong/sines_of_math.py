# named: crash-scalar
# math.sin of a whole tensor
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float32).reshape(-1, 1)
    freq = 10000 ** (-torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    pe = torch.zeros((seq_len, d_model))
    pe[:, 0::2] = math.sin(pos * freq)
    pe[:, 1::2] = math.cos(pos * freq)[:, : d_model // 2]
    return pe
