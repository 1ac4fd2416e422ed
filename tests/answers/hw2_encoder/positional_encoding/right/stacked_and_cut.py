# sine and cosine stacked, flattened, cut to width
def positional_encoding(seq_len, d_model):
    pairs = torch.arange((d_model + 1) // 2)
    angles = torch.outer(torch.arange(seq_len).float(), torch.pow(10000.0, -2 * pairs / d_model))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]
