def positional_encoding(seq_len, d_model):
    half = (d_model + 1) // 2
    rate = 1e4 ** (-2 * torch.arange(half, dtype=torch.float64) / d_model)
    turned = torch.polar(
        torch.ones(seq_len, half, dtype=torch.float64),
        torch.outer(torch.arange(seq_len).double(), rate),
    )
    return (
        torch.stack([turned.imag, turned.real], -1)
        .reshape(seq_len, -1)[:, :d_model]
        .float()
        .contiguous()
    )
