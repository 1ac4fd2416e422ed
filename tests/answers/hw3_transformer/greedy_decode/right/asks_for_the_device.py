def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    device = next(model.parameters()).device
    src = src.to(device)
    ys = torch.ones(src.size(0), 1, dtype=torch.long, device=device).fill_(bos)
    done = torch.zeros(src.size(0), dtype=torch.bool, device=device)
    with torch.no_grad():
        while ys.size(1) < max_len:
            out = model(src, ys)
            next_word = out[:, -1].argmax(dim=1).masked_fill(done, eos)
            ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
            done |= next_word.eq(eos)
            if bool(done.all()):
                break
    return ys
