@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    was_training = model.training
    model.eval()
    texts = []
    for one in src.split(1):
        text = [bos]
        while text[-1] != eos and len(text) < max_len:
            text.append(int(model(one, torch.tensor([text]))[0, -1].argmax()))
        texts.append(torch.tensor(text))
    model.train(was_training)
    return nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=eos)
