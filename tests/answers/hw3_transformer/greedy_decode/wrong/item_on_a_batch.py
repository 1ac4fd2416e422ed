# named: decode-item-of-a-batch
# One number for all rows
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    ys = torch.ones(src.size(0), 1).fill_(bos).long()
    for i in range(max_len - 1):
        out = model(src, ys)
        next_word = out[:, -1].argmax(dim=-1).item()
        ys = torch.cat([ys, torch.ones(1, 1).fill_(next_word).long()], dim=1)
        if next_word == eos:
            break
    return ys
