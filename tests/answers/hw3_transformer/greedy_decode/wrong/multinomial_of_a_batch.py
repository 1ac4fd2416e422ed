# named: decode-sampled
# samples instead of taking the likeliest
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    ended = torch.zeros(src.shape[0], 1, dtype=torch.bool)
    while seq.shape[1] < max_len and not ended.all():
        p = F.softmax(model(src, seq)[:, -1], dim=-1)
        best = torch.multinomial(p, 1)
        best[ended] = eos
        ended = ended | (best == eos)
        seq = torch.cat([seq, best], 1)
    return seq
