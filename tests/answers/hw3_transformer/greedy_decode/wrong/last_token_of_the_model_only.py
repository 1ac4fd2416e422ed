# named: decode-reads-the-last-token-only
# feeds only the last token to the model
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = torch.full((src.shape[0], 1), bos, dtype=torch.long)
    finished = torch.zeros(src.shape[0], dtype=torch.bool)
    while ys.shape[1] < max_len and not finished.all():
        logits = model(src, ys[:, -1:])
        nxt = logits[:, -1].argmax(-1)
        nxt[finished] = eos
        finished |= nxt == eos
        ys = torch.cat([ys, nxt.unsqueeze(1)], 1)
    return ys
