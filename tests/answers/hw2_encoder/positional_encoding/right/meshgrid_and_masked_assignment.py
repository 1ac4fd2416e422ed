# a grid of positions and columns, sines everywhere, then cosines over the odd columns
def positional_encoding(seq_len, d_model):
    pos, col = np.meshgrid(np.arange(seq_len), np.arange(d_model), indexing="ij")
    angle = pos * np.exp(-np.log(10_000) * (col - col % 2) / d_model)
    table, odd = np.sin(angle), col % 2 == 1
    table[odd] = np.cos(angle[odd])
    return torch.as_tensor(table, dtype=torch.get_default_dtype())
