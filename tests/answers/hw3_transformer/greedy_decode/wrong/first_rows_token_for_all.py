# named: decode-rows-follow-the-first
# Code for a single source, broadcast to all rows
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    tgt = torch.full((src.shape[0], 1), bos)
    for _ in range(max_len - 1):
        token = model(src, tgt)[0, -1].argmax()
        tgt = torch.cat((tgt, token.expand(src.shape[0], 1)), dim=1)
        if token == eos:
            break
    return tgt
