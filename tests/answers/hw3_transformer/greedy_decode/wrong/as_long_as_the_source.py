# named: decode-as-long-as-the-source-and-one
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = torch.full((src.size(0), 1), bos, dtype=torch.long)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(min(max_len - 1, src.size(1) + 1)):
        logits = model(src, ys)
        nxt = logits[:, -1].argmax(dim=-1)
        nxt = torch.where(done, torch.full_like(nxt, eos), nxt)
        ys = torch.cat([ys, nxt.unsqueeze(1)], dim=1)
        done = done | (nxt == eos)
        if done.all():
            break
    return ys
