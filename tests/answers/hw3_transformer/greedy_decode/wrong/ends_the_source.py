# named: decode-writes-into-the-source, decode-source-not-whole
# Marks the end in the source itself
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    src[:, -1] = eos
    with torch.no_grad():
        out = torch.full((src.size(0), 1), bos, dtype=torch.long)
        done = torch.zeros(src.size(0), dtype=torch.bool)
        for _ in range(max_len - 1):
            logits = model(src, out)
            nxt = logits[:, -1, :].argmax(dim=-1)
            nxt = torch.where(done, torch.full_like(nxt, eos), nxt)
            out = torch.cat([out, nxt.unsqueeze(1)], dim=1)
            done = done | (nxt == eos)
            if done.all():
                break
    return out
