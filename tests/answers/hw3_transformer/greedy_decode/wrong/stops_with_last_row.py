# named: decode-last-row-decides
# stops when the last row of the batch has its eos, although earlier rows may still be open
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = torch.full((len(src), 1), bos, dtype=torch.int64)
    done = [False] * len(src)
    for _ in range(max_len - 1):
        best = model(src, tokens)[:, -1].argmax(dim=-1).tolist()
        column, stop = [], False
        for row, token in enumerate(best):
            token = eos if done[row] else token
            done[row] = stop = token == eos
            column.append([token])
        tokens = torch.cat([tokens, torch.tensor(column)], dim=1)
        if stop:
            break
    return tokens
