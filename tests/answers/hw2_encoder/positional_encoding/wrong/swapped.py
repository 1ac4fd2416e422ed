# named: positions-sine-and-cosine-swapped
# cosine first, by stack and flatten
def positional_encoding(seq_len, d_model):
    n = math.ceil(d_model / 2)
    w = 1.0 / (10000.0 ** (2 * torch.arange(n) / d_model))
    ang = torch.outer(torch.arange(seq_len), w)
    return torch.stack((ang.cos(), ang.sin()), dim=-1).flatten(1)[:, :d_model]
