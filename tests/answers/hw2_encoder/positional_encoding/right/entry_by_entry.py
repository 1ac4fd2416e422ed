# two loops and Python's math, entry by entry
def positional_encoding(seq_len, d_model):
    table = torch.zeros(seq_len, d_model)
    for position in range(seq_len):
        for i in range(0, d_model, 2):
            angle = position / 10000 ** (i / d_model)
            table[position, i] = math.sin(angle)
            if i + 1 < d_model:
                table[position, i + 1] = math.cos(angle)
    return table
