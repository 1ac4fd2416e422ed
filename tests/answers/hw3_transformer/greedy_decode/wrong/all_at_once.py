# named: relation-partly-right
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    begin = torch.full((len(src), 1), bos)
    return torch.cat([begin, model(src, begin.repeat(1, max_len - 1)).argmax(-1)], dim=1)
