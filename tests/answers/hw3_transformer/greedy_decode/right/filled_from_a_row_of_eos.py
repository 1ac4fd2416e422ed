@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = src.new_full((src.size(0), max_len), eos)
    out[:, 0] = bos
    for i in range(1, max_len):
        nxt = model(src, out[:, :i])[:, -1].argmax(-1)
        ended = (out[:, 1:i] == eos).any(-1)
        out[:, i] = torch.where(ended, eos, nxt)
    return out
