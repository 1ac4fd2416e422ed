# named: decode-eos-of-its-own-2
# rows end at 2, whatever eos is
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    B = src.size(0)
    ys = torch.full((B, 1), bos, dtype=torch.long, device=src.device)
    finished = torch.zeros(B, dtype=torch.bool, device=src.device)
    for _ in range(max_len - 1):
        logits = model(src, ys)
        next_token = logits[:, -1].argmax(dim=-1)
        next_token = next_token.masked_fill(finished, eos)
        ys = torch.cat([ys, next_token.unsqueeze(1)], dim=1)
        finished |= next_token == 2
        if finished.all():
            break
    return ys
