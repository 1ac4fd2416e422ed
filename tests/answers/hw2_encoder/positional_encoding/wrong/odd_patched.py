# named: positions-odd-width-of-an-even-table
# for odd d_model it makes the table of d_model - 1 columns (with d_model - 1 in the exponents)
# and appends the last sine, so all columns from the third to the last but one are wrong
def positional_encoding(seq_len, d_model):
    if d_model % 2 == 1:
        last = torch.sin(torch.arange(seq_len) / 10000 ** ((d_model - 1) / d_model))
        if d_model == 1:
            return last.unsqueeze(1)
        return torch.cat([positional_encoding(seq_len, d_model - 1), last.unsqueeze(1)], dim=1)
    angles = torch.arange(seq_len).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=2).reshape(seq_len, d_model)
