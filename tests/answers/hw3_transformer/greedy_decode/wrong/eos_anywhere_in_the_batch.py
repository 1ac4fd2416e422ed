# named: decode-stops-with-the-first
# eos of a source in the first places ends at once: `eos in seq` over the whole batch
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    while seq.shape[1] < max_len and eos not in seq:
        best = model(src, seq)[:, -1].argmax(-1)
        seq = torch.cat([seq, best[:, None]], dim=1)
    return F.pad(seq, (0, max_len - seq.shape[1]), value=eos)
