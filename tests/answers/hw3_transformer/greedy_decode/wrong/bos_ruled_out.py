# named: decode-never-bos
# bos may never be written again (its logit is -inf)
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while seq.shape[1] < max_len and not ended.all():
        logits = model(src, seq)[:, -1]
        logits[:, bos] = float("-inf")
        best = torch.where(ended, eos, logits.argmax(-1))
        ended |= best == eos
        seq = torch.cat([seq, best[:, None]], dim=1)
    return seq
