def greedy_decode(model, src, bos, eos, max_len):
    rows = []
    for source in src:
        row = [bos]
        while len(row) < max_len and row[-1] != eos:
            with torch.no_grad():
                scores = model(source.unsqueeze(0), torch.tensor([row]))
            row.append(int(scores[0, -1].argmax()))
        rows.append(row)
    width = max(map(len, rows))
    return torch.tensor([row + [eos] * (width - len(row)) for row in rows])
