# named: decode-stops-with-the-first
# harmless clone and count; stops as soon as one row has ended
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    from itertools import count

    model.eval()
    src = src.clone()
    tokens = torch.full((src.shape[0], 1), bos, dtype=torch.int64)
    for step in count(1):
        if step >= max_len:
            break
        nxt = model(src, tokens)[:, -1, :].argmax(dim=-1, keepdim=True)
        tokens = torch.cat((tokens, nxt), dim=1)
        if (nxt == eos).any():
            break
    return tokens
