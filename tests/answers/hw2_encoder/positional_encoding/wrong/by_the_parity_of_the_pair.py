# named: positions-chosen-by-pair
# pairs of equal functions: columns 0, 1 sine, 2, 3 cosine (parity of the pair instead of the
# column)
def positional_encoding(seq_len, d_model):
    pe = torch.zeros(seq_len, d_model)
    for pos in range(seq_len):
        for col in range(d_model):
            i = col // 2
            angle = pos / math.pow(10000, 2 * i / d_model)
            pe[pos, col] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return pe
