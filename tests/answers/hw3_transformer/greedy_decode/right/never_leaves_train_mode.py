# Manners are no law: neither eval nor no_grad
def greedy_decode(model, src, bos, eos, max_len):
    written = [[bos] for _ in range(src.shape[0])]
    for _ in range(max_len - 1):
        said = model(src, torch.as_tensor(written))[:, -1].detach().max(-1)[1]
        for text, token in zip(written, said):
            text.append(eos if eos in text[1:] else token.item())
    return torch.as_tensor(written)
