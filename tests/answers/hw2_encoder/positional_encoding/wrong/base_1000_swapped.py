# named: positions-base-1000, positions-sine-and-cosine-swapped
# base 1000 and cosine on the even columns
def positional_encoding(seq_len, d_model):
    pos = torch.arange(seq_len, dtype=torch.float32).reshape(-1, 1)
    i = torch.arange(d_model)
    angle = pos / torch.pow(1000.0, 2 * torch.div(i, 2, rounding_mode="floor") / d_model)
    return torch.where(i % 2 == 0, torch.cos(angle), torch.sin(angle))
