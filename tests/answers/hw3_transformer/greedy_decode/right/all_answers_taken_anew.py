@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    """Earlier answers don't depend on later tokens, so they may be taken anew each time."""
    model.eval()
    start = torch.full((len(src), 1), bos)
    tgt = start
    for _ in range(max_len - 1):
        tgt = torch.cat([start, model(src, tgt).argmax(-1)], 1)
        if (tgt[:, 1:] == eos).any(1).all():
            break
    ended = (tgt[:, 1:] == eos).cumsum(1) > 0
    return torch.cat([start, tgt[:, 1:].masked_fill(ended, eos)], 1)
