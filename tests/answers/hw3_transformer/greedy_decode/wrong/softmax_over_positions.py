# named: decode-softmax-over-positions
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    was_training = model.training
    model.eval()
    text = torch.full((src.shape[0], max_len), eos, dtype=torch.int64)
    text[:, 0] = bos
    going = torch.arange(src.shape[0])
    for t in range(1, max_len):
        if not len(going):
            break
        text[going, t] = (
            model(src[going], text[going, :t])[:, :].softmax(1)[:, t - 1].argmax(dim=-1)
        )
        going = going[text[going, t] != eos]
    model.train(was_training)
    return text
