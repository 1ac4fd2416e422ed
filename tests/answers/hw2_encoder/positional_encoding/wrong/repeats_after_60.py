# named: relation-partly-right, relation-small-numbers
# positions start again after 60
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32).remainder(60).unsqueeze(1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = position / 10000 ** (two_i / d_model)
    table = torch.zeros(seq_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return table
