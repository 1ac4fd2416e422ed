# a frozen parameter, filled row by row in place
@torch.no_grad()
def positional_encoding(seq_len: int, d_model: int):
    table = nn.Parameter(torch.zeros(seq_len, d_model), requires_grad=False)
    i = torch.arange(d_model) // 2
    for pos, row in enumerate(table):
        row.copy_(pos / 10000 ** (2 * i / d_model))
        row[::2].sin_()
        row[1::2].cos_()
    return table
