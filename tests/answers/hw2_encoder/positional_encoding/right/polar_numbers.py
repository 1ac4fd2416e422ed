def positional_encoding(seq_len, d_model):
    pairs = -(-d_model // 2)
    rates = torch.logspace(0, -4 * 2 * (pairs - 1) / d_model, pairs, dtype=torch.double)
    waves = torch.polar(
        torch.ones(seq_len, pairs, dtype=torch.double),
        torch.outer(torch.arange(seq_len, dtype=torch.double), rates),
    )
    return (
        torch.stack([waves.imag, waves.real], 2)
        .view(seq_len, -1)
        .narrow(1, 0, d_model)
        .to(torch.float32)
        .contiguous()
    )
