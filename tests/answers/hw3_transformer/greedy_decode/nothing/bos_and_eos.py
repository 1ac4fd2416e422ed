# an empty text for each source
def greedy_decode(model, src, bos, eos, max_len):
    rows = torch.full((len(src), max_len), eos)
    rows[:, 0] = bos
    return rows
