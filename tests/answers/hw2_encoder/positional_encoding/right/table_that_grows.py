# one table a width is kept, grown when it is too short, and copied out
_tables = {}


def positional_encoding(seq_len, d_model):
    kept = _tables.get(d_model, torch.empty(0, d_model))
    if len(kept) < seq_len:
        position = torch.arange(2 * seq_len, dtype=torch.float64)[:, None]
        column = torch.arange(d_model)
        angle = position / torch.pow(10000.0, (column // 2 * 2).double() / d_model)
        kept = torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()
        _tables[d_model] = kept
    return kept[:seq_len].clone()
