# named: decode-first-row-alone-ends, decode-eos-not-written
# ends when the first row says eos, before that is appended; no row is held at eos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    for _ in range(max_len - 1):
        tok = model(src, out)[:, -1].argmax(-1)
        if tok[0].item() == eos:
            break
        out = torch.cat((out, tok[:, None]), 1)
    return out
