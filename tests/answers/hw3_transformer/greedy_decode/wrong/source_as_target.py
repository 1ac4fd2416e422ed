# named: decode-arguments-swapped, decode-source-not-whole
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    with torch.no_grad():
        out = torch.full((src.size(0), 1), bos, dtype=torch.long)
        done = torch.zeros(src.size(0), dtype=torch.bool)
        for _ in range(max_len - 1):
            logits = model(out, src)
            nxt = logits[:, -1, :].argmax(dim=-1)
            nxt = torch.where(done, torch.full_like(nxt, eos), nxt)
            out = torch.cat([out, nxt.unsqueeze(1)], dim=1)
            done = done | (nxt == eos)
            if done.all():
                break
    return out
