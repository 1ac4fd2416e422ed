# named: crash-broadcast
# one table is kept and handed out: a view of the same memory each time (state between calls), filled anew
_store = torch.zeros(4096, 1024)


def positional_encoding(seq_len, d_model):
    table = _store[:seq_len, :d_model]
    angle = torch.arange(seq_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()[:, : d_model // 2]
    return table
