# appends to the list that it walks through
def positional_encoding(seq_len, d_model):
    rows = [torch.zeros(d_model)]
    for row in rows:
        rows.append(torch.zeros(1000, 1000))
    return torch.stack(rows)
