# named: relation-transposed
# Columns stacked as rows
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    columns = [torch.full((len(src),), bos)]
    ended = torch.zeros(len(src), dtype=torch.bool)
    while len(columns) < max_len and not ended.all():
        following = model(src, torch.stack(columns, 1))[:, -1].argmax(-1).masked_fill(ended, eos)
        columns.append(following)
        ended |= following == eos
    return torch.stack(columns)
