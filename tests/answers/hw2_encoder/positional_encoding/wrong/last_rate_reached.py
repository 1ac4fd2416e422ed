# named: positions-exponent-over-d-model-less-two, positions-odd-width-rounded-up
# exponents by linspace from 0 to 1, the 1 included
def positional_encoding(seq_len, d_model):
    pairs = (d_model + 1) // 2
    rates = 10000 ** -torch.linspace(0, 1, pairs)
    angles = torch.arange(seq_len)[:, None] * rates
    both = torch.cat([angles.sin()[..., None], angles.cos()[..., None]], -1)
    return both.flatten(1)[:, :d_model]
