# turning clock hands: powers of complex numbers
def positional_encoding(seq_len, d_model):
    steps = [10000 ** (-2 * i / d_model) for i in range(math.ceil(d_model / 2))]
    rows = []
    for position in range(seq_len):
        hands = torch.polar(torch.ones(len(steps)), position * torch.tensor(steps))
        rows.append(torch.view_as_real(hands).flip(-1).reshape(-1)[:d_model])
    return torch.stack(rows)
