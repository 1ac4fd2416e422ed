# A generator yields one column after another
def greedy_decode(model, src, bos, eos, max_len):
    def columns():
        text = torch.full((src.size(0), 1), bos)
        open_rows = torch.ones(src.size(0), 1, dtype=torch.bool)
        yield text
        for _ in range(max_len - 1):
            scores = model(src, text)[:, -1:]
            column = scores.argmax(dim=-1) * open_rows + eos * ~open_rows
            open_rows = open_rows & (column != eos)
            text = torch.cat([text, column], dim=1)
            yield column

    with torch.no_grad():
        return torch.cat(list(columns()), dim=1)
