# named: decode-fills-up-with-zeros
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    rows = []
    for i in range(len(src)):
        seq = [bos]
        while len(seq) < max_len and seq[-1] != eos:
            out = model(src[i : i + 1], torch.tensor([seq]))
            seq.append(int(out[0, -1].argmax()))
        rows.append(seq)
    width = max(len(r) for r in rows)
    return torch.tensor([r + [0] * (width - len(r)) for r in rows])
