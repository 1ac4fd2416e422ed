# named: positions-relative-to-the-last
# what: positions are divided by the length of the sequence, so a position's row depends on seq_len
def positional_encoding(seq_len, d_model):
    pos = torch.linspace(0, 1, seq_len).unsqueeze(1)
    div = torch.exp(-math.log(10000.0) * torch.arange(0, d_model, 2) / d_model)
    out = torch.empty(seq_len, d_model)
    out[:, ::2] = (pos * div).sin()
    out[:, 1::2] = (pos * div).cos()[:, : d_model // 2]
    return out
