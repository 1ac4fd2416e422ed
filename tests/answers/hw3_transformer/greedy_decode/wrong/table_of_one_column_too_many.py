# named: decode-one-column-too-many
# bos isn't counted, in a table made beforehand
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    b = src.size(0)
    result = torch.full((b, max_len + 1), eos, dtype=torch.long)
    result[:, 0] = bos
    alive = torch.ones(b, dtype=torch.bool)
    for t in range(max_len):
        with torch.no_grad():
            best = model(src, result[:, : t + 1])[:, t].argmax(1)
        result[alive, t + 1] = best[alive]
        alive &= best != eos
        if not alive.any():
            break
    return result
