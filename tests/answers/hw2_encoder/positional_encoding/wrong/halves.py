# named: positions-in-halves
# sines in the left half, cosines in the right, by torch.cat
def positional_encoding(seq_len, d_model):
    half = (d_model + 1) // 2
    freqs = torch.exp(-math.log(10000) * 2 * torch.arange(half) / d_model)
    args = torch.arange(seq_len).float()[:, None] * freqs[None]
    return torch.cat([torch.sin(args), torch.cos(args)], dim=-1)[:, :d_model]
