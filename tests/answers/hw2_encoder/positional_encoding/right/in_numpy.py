# computed in NumPy with float64, chosen by the column's parity
import numpy


def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    columns = numpy.arange(d_model)
    angles = numpy.arange(seq_len)[:, None] / numpy.power(10000, (columns - columns % 2) / d_model)
    table = numpy.where(columns % 2 == 0, numpy.sin(angles), numpy.cos(angles))
    return torch.from_numpy(table.astype(numpy.float32))
