# named: decode-stops-with-the-first
# break as soon as any row has eos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    while out.size(1) < max_len:
        logits = model(src, out)
        out = torch.cat([out, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
        if eos in out[:, -1]:
            break
    return out
