# named: decode-source-not-whole
# Turns the source around before the model reads it
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    out = torch.full((src.size(0), 1), bos, dtype=torch.long)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(max_len - 1):
        logits = model(src.flip(1), out)[:, -1]
        nxt = logits.argmax(dim=-1)
        nxt = nxt.masked_fill(done, eos)
        out = torch.cat([out, nxt.unsqueeze(1)], dim=1)
        done = done | (nxt == eos)
        if done.all():
            break
    return out
