# writes on to max_len and blanks what stands behind eos afterwards
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    tgt = torch.empty(src.shape[0], 0, dtype=torch.long)
    nxt = torch.full((src.shape[0],), bos)
    for i in range(max_len):
        tgt = torch.column_stack((tgt, nxt))
        if i + 1 < max_len:
            nxt = model(src, tgt).select(1, -1).argmax(1)
    after = (tgt[:, 1:] == eos).cumsum(1) > 0
    tgt[:, 1:][after] = eos
    return tgt
