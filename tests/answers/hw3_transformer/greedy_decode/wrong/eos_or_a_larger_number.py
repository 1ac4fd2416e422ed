# named: decode-ends-with-larger-numbers
# a row counts as ended when its token is >= eos, so tokens with larger numbers than eos end it too
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    ended = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(1, max_len):
        tok = model(src, out)[:, -1].argmax(-1)
        tok[ended] = eos
        out = torch.cat([out, tok[:, None]], dim=1)
        ended = tok >= eos
        if ended.all():
            break
    return out
