# named: decode-one-too-few, decode-not-int64
# floats come back, and one token too few is written
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = torch.full((len(src), 1), float(bos))
    done = torch.zeros(len(src), 1, dtype=torch.bool)
    for _ in range(max_len - 2):
        nxt = model(src, tokens.long())[:, -1:].argmax(-1)
        nxt[done] = eos
        tokens = torch.cat([tokens, nxt.float()], dim=1)
        done |= nxt == eos
        if done.all():
            break
    return tokens
