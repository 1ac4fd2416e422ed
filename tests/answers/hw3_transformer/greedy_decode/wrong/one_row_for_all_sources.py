# named: decode-begins-one-row-only
# written for a single sentence, as in many tutorials
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = torch.ones(1, 1).fill_(bos).type_as(src)
    for i in range(max_len - 1):
        with torch.no_grad():
            out = model(src, ys)
        prob = out[:, -1]
        _, next_word = torch.max(prob, dim=1)
        next_word = next_word.item()
        ys = torch.cat([ys, torch.ones(1, 1).type_as(src).fill_(next_word)], dim=1)
        if next_word == eos:
            break
    return ys
