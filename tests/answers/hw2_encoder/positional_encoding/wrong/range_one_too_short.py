# named: positions-last-row-empty
# range(seq_len - 1)
def positional_encoding(seq_len, d_model):
    out = torch.zeros(seq_len, d_model)
    for p in range(seq_len - 1):
        for c in range(0, d_model, 2):
            w = p / 10000 ** (c / d_model)
            out[p, c] = math.sin(w)
            if c + 1 < d_model:
                out[p, c + 1] = math.cos(w)
    return out
