# named: decode-no-empty-text
# the first token may not be eos
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    was = model.training
    model.eval()
    ys = torch.full((src.size(0), max_len), eos, dtype=torch.long)
    ys[:, 0] = bos
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for i in range(1, max_len):
        scores = model(src, ys[:, :i])[:, i - 1]
        if i == 1:
            scores = scores.index_fill(1, torch.tensor([eos]), float("-inf"))
        ys[~done, i] = scores.argmax(1)[~done]
        done = done | (ys[:, i] == eos)
    model.train(was)
    return ys
