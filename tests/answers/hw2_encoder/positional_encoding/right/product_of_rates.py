# rates by a running product
def positional_encoding(seq_len, d_model):
    n = -(-d_model // 2)
    step = torch.full((n,), 10_000.0 ** (-2 / d_model), dtype=torch.double)
    step[0] = 1
    w = torch.arange(seq_len).double().outer(step.cumprod(0))
    out = torch.zeros(seq_len, 2 * n)
    out[:, ::2].copy_(w.sin())
    out[:, 1::2].copy_(w.cos())
    return out.narrow(1, 0, d_model).clone()
