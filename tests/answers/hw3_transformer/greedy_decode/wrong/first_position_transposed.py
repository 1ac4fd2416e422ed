# named: decode-first-position
# odd style; the answer at the first position is appended each time
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    ended = torch.zeros(src.size(0), dtype=torch.bool)
    while out.size(1) < max_len and not ended.all():
        best = model(src, out).transpose(1, 2).argmax(1)[..., 0]
        best = best.masked_fill(ended, eos)
        out = torch.cat([out, best.unsqueeze(1)], 1)
        ended |= best == eos
    return out
