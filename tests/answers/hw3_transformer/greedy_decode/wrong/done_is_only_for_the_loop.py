# named: decode-goes-on-after-eos
# ended rows go on writing (nothing fills them with eos)
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    ys = torch.ones(src.size(0), 1).fill_(bos).type_as(src)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for i in range(max_len - 1):
        out = model(src, ys)
        next_word = out[:, -1].max(dim=1)[1]
        ys = torch.cat([ys, next_word[:, None]], dim=1)
        done = done | (next_word == eos)
        if done.all():
            break
    return ys
