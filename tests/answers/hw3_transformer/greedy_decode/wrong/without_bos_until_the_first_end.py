# named: decode-bos-cut-off, decode-stops-with-the-first
# bos is cut off the result, and ends when any row ends
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    while seq.shape[1] < max_len:
        best = model(src, seq)[:, -1].argmax(-1, keepdim=True)
        seq = torch.cat([seq, best], 1)
        if (best == eos).any():
            break
    return seq[:, 1:]
