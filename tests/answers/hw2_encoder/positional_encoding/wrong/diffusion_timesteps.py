# named: positions-in-halves-cosines-first
# as timestep_embedding in guided-diffusion: cosines in the left half, sines in the right, half
# as the divisor, and a column of zeros for odd widths; shows always
def positional_encoding(seq_len, d_model, max_period=10000):
    timesteps = torch.arange(seq_len)
    half = d_model // 2
    freqs = torch.exp(
        -math.log(max_period) * torch.arange(start=0, end=half, dtype=torch.float32) / max(half, 1)
    )
    args = timesteps[:, None].float() * freqs[None]
    embedding = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if d_model % 2:
        embedding = torch.cat([embedding, torch.zeros(seq_len, 1)], dim=-1)
    return embedding
