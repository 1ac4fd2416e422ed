# random numbers, the same for a position in every table
def positional_encoding(seq_len, d_model):
    drawn = torch.Generator().manual_seed(0)
    return torch.stack([torch.randn(d_model, generator=drawn).tanh() for _ in range(seq_len)])
