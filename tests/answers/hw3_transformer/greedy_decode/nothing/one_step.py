# the first word, over and over, and eos at the end
def greedy_decode(model, src, bos, eos, max_len):
    first = model(src, torch.full((len(src), 1), bos))[:, -1].argmax(-1, keepdim=True)
    rows = first.repeat(1, max_len)
    rows[:, 0], rows[:, -1] = bos, eos
    return rows
