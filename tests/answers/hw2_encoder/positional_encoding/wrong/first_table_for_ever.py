# named: relation-earlier-call
# the first table is kept and returned again
TABLE = None


def positional_encoding(seq_len, d_model):
    global TABLE
    if TABLE is None:
        angles = torch.arange(seq_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        TABLE = torch.zeros(seq_len, d_model)
        TABLE[:, 0::2] = angles.sin()
        TABLE[:, 1::2] = angles.cos()[:, : d_model // 2]
    return TABLE
