# the number of the position in every column
def positional_encoding(seq_len, d_model):
    return torch.arange(float(seq_len)).unsqueeze(1).repeat(1, d_model)
