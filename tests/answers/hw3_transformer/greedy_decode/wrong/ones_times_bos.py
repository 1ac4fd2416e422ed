# named: decode-not-int64
# float tokens (torch.ones(...) * bos), embedded by .long() on the way
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.ones(src.shape[0], 1) * bos
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while seq.shape[1] < max_len and not ended.all():
        best = model(src, seq.long())[:, -1].argmax(-1)
        best[ended] = eos
        ended |= best == eos
        seq = torch.cat([seq, best[:, None]], dim=1)
    return seq
