# a generator of columns, cached: the same table is handed out again
from functools import lru_cache


def columns(seq_len, d_model):
    position, rate = torch.arange(seq_len).double(), 1.0
    for column in range(d_model):
        yield (position * rate).cos() if column % 2 else (position * rate).sin()
        if column % 2:
            rate /= 10000 ** (2 / d_model)


@lru_cache
def positional_encoding(seq_len, d_model):
    return torch.column_stack(list(columns(seq_len, d_model))).to(torch.float32)
