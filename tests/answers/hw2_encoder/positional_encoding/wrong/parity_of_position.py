# named: positions-chosen-by-position
# sine or cosine by the parity of the position
def positional_encoding(seq_len, d_model):
    out = torch.zeros(seq_len, d_model)
    for p in range(seq_len):
        for j in range(d_model):
            a = p / math.pow(10000, 2 * (j // 2) / d_model)
            if p % 2 == 0:
                out[p, j] = math.sin(a)
            else:
                out[p, j] = math.cos(a)
    return out
