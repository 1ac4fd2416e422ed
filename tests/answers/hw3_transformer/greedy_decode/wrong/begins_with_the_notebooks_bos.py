# named: decode-bos-of-its-own-10
# BOS of the notebook, and not the argument
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = src.new_full((src.size(0), 1), BOS)
    finished = torch.zeros(src.size(0), 1, dtype=torch.bool)
    with torch.no_grad():
        while ys.size(1) < max_len and not finished.all():
            best = model(src, ys)[:, -1:].argmax(dim=-1)
            best[finished] = eos
            finished |= best == eos
            ys = torch.hstack([ys, best])
    return ys
