# named: decode-rows-follow-the-first
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    rows = []
    for i in range(len(src)):
        seq = [bos]
        while len(seq) < max_len and seq[-1] != eos:
            out = model(src[:1], torch.tensor([seq]))
            seq.append(int(out[0, -1].argmax()))
        rows.append(seq + [eos] * (max_len - len(seq)))
    return torch.tensor(rows)
