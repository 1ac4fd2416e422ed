# named: decode-fills-up-with-bos
# row by row, and shorter rows are filled up with bos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    rows = []
    for i in range(len(src)):
        row = [bos]
        while len(row) < max_len and row[-1] != eos:
            row.append(model(src[i : i + 1], torch.tensor([row]))[0, -1].argmax().item())
        rows.append(torch.tensor(row))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=bos)
