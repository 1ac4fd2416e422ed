# named: decode-rows-follow-the-first
# the first row decides for the batch: item of row 0 appended to all, ends with it
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    seq = torch.full((src.shape[0], 1), bos)
    for _ in range(max_len - 1):
        token = model(src, seq)[0, -1].argmax().item()
        seq = torch.cat([seq, torch.full((src.shape[0], 1), token)], dim=1)
        if token == eos:
            break
    return seq
