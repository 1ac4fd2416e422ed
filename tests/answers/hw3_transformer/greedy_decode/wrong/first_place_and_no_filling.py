# named: decode-first-position, decode-goes-on-after-eos
# takes the first position's answer each time
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((len(src), 1), bos, dtype=torch.long)
    for _ in range(max_len - 1):
        nxt = model(src, out).argmax(-1)[:, :1]
        out = torch.cat([out, nxt], 1)
        if (out == eos).any(1).all():
            break
    return out
