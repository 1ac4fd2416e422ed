# named: decode-rows-follow-the-first
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    B = src.size(0)
    ys = torch.full((B, 1), bos, dtype=torch.long, device=src.device)
    finished = torch.zeros(B, dtype=torch.bool, device=src.device)
    for _ in range(max_len - 1):
        out = model(src, ys)
        prob = F.softmax(out[:, -1, :], dim=-1)
        _, next_word = torch.max(prob, dim=1)
        next_word = next_word[0].item()
        ys = torch.cat([ys, torch.full((B, 1), next_word)], dim=1)
        if next_word == eos:
            break
    return ys
