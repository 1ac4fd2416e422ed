# named: decode-eos-of-zero-unseen
# tests `if eos`, so an eos with the number 0 is not recognised and rows go on after it
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = torch.full((len(src), 1), bos, dtype=torch.long)
    done = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len - 1):
        nxt = model(src, tokens)[:, -1].argmax(-1)
        if eos:
            nxt = torch.where(done, torch.full_like(nxt, eos), nxt)
            done = done | (nxt == eos)
        tokens = torch.cat([tokens, nxt[:, None]], dim=1)
        if done.all():
            break
    return tokens
