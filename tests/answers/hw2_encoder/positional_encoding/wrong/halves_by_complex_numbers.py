# named: positions-in-halves
# sines in the first half and cosines in the second (complex exponential)
def positional_encoding(seq_len, d_model):
    half = -(-d_model // 2)
    speed = 10000.0 ** (-2 * torch.arange(half) / d_model)
    turns = torch.polar(
        torch.ones(seq_len, half), torch.outer(torch.arange(seq_len).float(), speed)
    )
    return torch.cat((turns.imag, turns.real), dim=-1)[:, :d_model]
