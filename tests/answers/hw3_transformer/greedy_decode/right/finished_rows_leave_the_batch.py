@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    texts = [[bos] for _ in src]
    active = list(range(len(src)))
    for _ in range(max_len - 1):
        if not active:
            break
        read = torch.tensor([texts[row] for row in active])
        said = model(src[active], read)[:, -1].argmax(dim=1).tolist()
        for row, token in zip(active, said):
            texts[row].append(token)
        active = [row for row, token in zip(active, said) if token != eos]
    longest = max(len(text) for text in texts)
    return torch.stack(
        [F.pad(torch.tensor(text), (0, longest - len(text)), value=eos) for text in texts]
    )
