# named: decode-goes-on-after-eos, decode-one-too-many
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    B = src.size(0)
    ys = torch.full((B, 1), bos, dtype=torch.long, device=src.device)
    finished = torch.zeros(B, dtype=torch.bool, device=src.device)
    for _ in range(max_len):
        out = model(src, ys)
        prob = F.softmax(out[:, -1, :], dim=-1)
        _, next_word = torch.max(prob, dim=1)
        ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
        finished = finished | (next_word == eos)
        if finished.all():
            break
    return ys
