# named: positions-exponent-divided-by-floor
def positional_encoding(seq_len, d_model):
    div = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model // 2))
    ang = torch.outer(torch.arange(seq_len).float(), div)
    return torch.stack([ang.sin(), ang.cos()], 2).flatten(1)[:, :d_model]
