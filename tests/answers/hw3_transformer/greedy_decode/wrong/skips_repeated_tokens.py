# named: decode-never-repeats, relation-partly-right
# A token equal to the last one isn't appended
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    rows = []
    for source in src:
        row = [bos]
        for _ in range(max_len - 1):
            token = model(source[None], torch.tensor([row]))[0, -1].argmax().item()
            if token != row[-1]:
                row.append(token)
            if token == eos:
                break
        rows.append(row)
    width = max(map(len, rows))
    return torch.tensor([row + [eos] * (width - len(row)) for row in rows])
