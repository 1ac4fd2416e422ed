# only the rows that go on are asked
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    page = src.new_full((src.shape[0], max_len), eos)
    page[:, 0] = bos
    writing = torch.arange(src.shape[0])
    column = 1
    while column < max_len and writing.numel():
        answer = model(src[writing], page[writing, :column])[:, -1]
        page[writing, column] = torch.sort(answer, descending=True, stable=True).indices[:, 0]
        writing = writing[page[writing, column] != eos]
        column += 1
    return page
