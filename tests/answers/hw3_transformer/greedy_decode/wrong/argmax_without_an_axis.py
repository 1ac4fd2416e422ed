# named: decode-argmax-without-an-axis
# One index for the whole batch
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(max_len - 1):
        logits = model(src, out)[:, -1]
        nxt = logits.argmax().expand(src.size(0))
        nxt = nxt.masked_fill(done, eos)
        out = torch.cat([out, nxt.unsqueeze(1)], dim=1)
        done = done | (nxt == eos)
        if done.all():
            break
    return out
