# a list of lists with divmod, made into a tensor at the end
def positional_encoding(seq_len, d_model):
    def entry(position, column):
        i, odd = divmod(column, 2)
        wave = math.cos if odd else math.sin
        return wave(position / pow(10000, 2 * i / d_model))

    return torch.tensor([[entry(p, c) for c in range(d_model)] for p in range(seq_len)])
