# one sine for all: the cosine is a sine a quarter turn ahead
def positional_encoding(seq_len, d_model):
    columns = torch.arange(d_model)
    odd = columns % 2
    rates = torch.exp2(-(columns - odd) / d_model * math.log2(10000))
    return torch.sin(torch.arange(seq_len)[:, None] * rates + odd * (math.pi / 2))
