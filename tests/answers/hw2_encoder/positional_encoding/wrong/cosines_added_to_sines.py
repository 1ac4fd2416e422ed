# named: positions-cosines-onto-sines
# a slice typed twice: the cosines land on the sines
def positional_encoding(seq_len, d_model):
    positions = torch.arange(0, seq_len).unsqueeze(-1)
    denominator = 10000 ** (torch.arange(0, d_model, 1) / d_model).unsqueeze(-2)
    args = positions / denominator
    pe = torch.zeros_like(args)
    pe[:, ::2] += torch.sin(args[:, ::2])
    pe[:, ::2] += torch.cos(args[:, ::2])
    return pe
