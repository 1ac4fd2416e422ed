# named: positions-exponent-over-d-model-less-two, positions-odd-width-rounded-up
# the exponent divides by the number of pairs - 1 (as in image models), so the last pair has base 10000 exactly
def positional_encoding(seq_len, d_model):
    half = (d_model + 1) // 2
    freq = torch.exp(-math.log(10000.0) * torch.arange(half) / max(half - 1, 1))
    angle = torch.arange(seq_len)[:, None] * freq
    table = torch.zeros(seq_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table
