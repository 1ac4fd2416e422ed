# named: decode-argmax-over-positions
# argmax over the positions
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while seq.shape[1] < max_len and not ended.all():
        best = model(src, seq).argmax(dim=1)[:, -1]
        best[ended] = eos
        ended |= best == eos
        seq = torch.cat([seq, best[:, None]], dim=1)
    return seq
