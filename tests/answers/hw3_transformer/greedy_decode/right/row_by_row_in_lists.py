@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    was = model.training
    model.train(False)

    def one(row):
        text = [bos]
        while len(text) < max_len and (len(text) == 1 or text[-1] != eos):
            scores = model(row[None], torch.tensor([text]))[0, -1].tolist()
            text.append(max(range(len(scores)), key=scores.__getitem__))
        return text

    texts = [one(row) for row in src]
    width = max(map(len, texts))
    model.train(was)
    return torch.tensor([text + [eos] * (width - len(text)) for text in texts])
