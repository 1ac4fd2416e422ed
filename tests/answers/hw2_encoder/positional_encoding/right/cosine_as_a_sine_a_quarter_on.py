# cosine as a shifted sine, in float64
def positional_encoding(seq_len, d_model):
    columns = torch.arange(d_model, dtype=torch.float64)
    speeds = 10000 ** (-(columns - columns % 2) / d_model)
    angles = torch.arange(seq_len, dtype=torch.float64)[:, None] * speeds
    return torch.sin(angles + (columns % 2) * math.pi / 2).to(torch.float32)
