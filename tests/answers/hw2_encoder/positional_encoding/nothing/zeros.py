# zeros
def positional_encoding(seq_len, d_model):
    return torch.zeros(seq_len, d_model)
