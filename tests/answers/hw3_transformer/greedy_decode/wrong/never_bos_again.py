# named: decode-never-bos
# bos is forbidden after the first place
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = torch.full((src.size(0), 1), bos, dtype=torch.long)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(max_len - 1):
        logits = model(src, ys)[:, -1].clone()
        logits[:, bos] = -float("inf")
        nxt = logits.argmax(-1)
        nxt = torch.where(done, torch.full_like(nxt, eos), nxt)
        ys = torch.cat([ys, nxt[:, None]], 1)
        done |= nxt == eos
        if done.all():
            break
    return ys
