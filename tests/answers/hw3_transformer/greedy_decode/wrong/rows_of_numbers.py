# named: decode-lists
# list of lists in place of a tensor
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    rows = [[bos] for _ in range(len(src))]
    for i in range(max_len - 1):
        best = model(src, torch.tensor(rows))[:, -1].argmax(-1).tolist()
        for row, token in zip(rows, best):
            row.append(eos if eos in row[1:] else token)
        if all(row[-1] == eos for row in rows):
            break
    return rows
