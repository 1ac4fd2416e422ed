# a module with a buffer makes the table, einsum the angles
class Table(nn.Module):
    def __init__(self, seq_len, d_model):
        super().__init__()
        rates = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        angles = torch.einsum("p,i->pi", torch.arange(float(seq_len)), rates)
        table = torch.empty(seq_len, 2 * len(rates))
        table[:, ::2], table[:, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("table", table.narrow(1, 0, d_model))


def positional_encoding(seq_len, d_model):
    return Table(seq_len, d_model).table
