# named: decode-fills-up-with-zeros, decode-first-row-decides
# rows that ended are filled with 0, and the loop ends when row 0 has
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = torch.full((src.shape[0], 1), bos, dtype=torch.long)
    alive = torch.ones(src.shape[0], dtype=torch.long)
    for _ in range(max_len - 1):
        nxt = model(src, tokens)[:, -1].argmax(-1) * alive
        tokens = torch.cat([tokens, nxt.unsqueeze(1)], dim=1)
        alive = alive * (nxt != eos).long()
        if alive[0] == 0:
            break
    return tokens
