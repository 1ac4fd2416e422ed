# named: decode-empty-places-are-read
# the whole row full of eos is given to the model, and answer i - 1 read: model reads max_len tokens
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((src.shape[0], max_len), eos)
    out[:, 0] = bos
    for i in range(1, max_len):
        best = model(src, out)[:, i - 1].argmax(-1)
        alive = (out[:, 1:i] != eos).all(dim=1)
        out[:, i] = torch.where(alive, best, eos)
    return out
